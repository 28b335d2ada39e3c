import { Fault } from '../../kernel/faults.ts'
import { mayFail } from '../../kernel/log.ts'
import { packJson, readPackedJson } from '../../store/pack-json.ts'
import { TransactionRefused } from '../../store/refusals.ts'
import type { Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData, StoredRecord } from '../record-item.ts'
import { prepareNewRecord, storeNewRecord } from './create-record.ts'
import { keyedRequest, type AnswerCodec } from './keyed-request.ts'

/** A record of 350 KB must fit: long answers are compressed. */
const recordAnswer: AnswerCodec<StoredRecord> = {
  write: (record) => ({ answer: packJson(record) }),
  read: (item) => readPackedJson<StoredRecord>(item, 'answer') as StoredRecord,
}

/**
 * Creates a record under an `Idempotency-Key`: the key's row, with the answer in it, is written in the record's own
 * transaction, so of any number of equal requests, also at once, one makes a record and all answer it. A request that is
 * refused leaves the key free. Throws Invalid when the key came with another body within 24 hours.
 */
export async function createIdempotent(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  body: RecordData,
  key: string,
): Promise<StoredRecord> {
  const { store } = deps
  const { tenant } = actor
  const request = keyedRequest(deps, actor, `POST /api/e/${table.name}`, key, body, recordAnswer)
  const known = await request.earlier()
  if (known) return known
  try {
    const prepared = await prepareNewRecord(deps, actor, table, body)
    const stored = await storeNewRecord(deps, actor, table, prepared, {
      extraWrites: (record) => [request.claim(record)],
    })
    // After hooks changed the record before it was answered: that is what a repeat must see.
    if (stored.version > 1)
      await mayFail('keep the answer of a request', () => store.write(tenant, { put: request.row(stored) }))
    return stored
  } catch (error) {
    // An equal request may have been faster, and be the very reason of the refusal.
    const faster = error instanceof TransactionRefused || error instanceof Fault ? await request.earlier() : undefined
    if (faster) return faster
    throw error
  }
}
