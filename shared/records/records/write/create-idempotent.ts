import { Fault } from '../../../kernel/failures/faults.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import { packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData, StoredRecord } from '../record-item.ts'
import { prepareNewRecord, storeNewRecord } from './create-record.ts'
import { type AnswerCodec, keyedRequest } from './keyed-request.ts'

/** Long answers are compressed, so that a record of 350 KB fits. */
const recordAnswer: AnswerCodec<StoredRecord> = {
  write: (record) => ({ answer: packJson(record) }),
  read: (item) => readPackedJson<StoredRecord>(item, 'answer') as StoredRecord,
}

/**
 * Creates a record under an `Idempotency-Key`. The row of the key, with the answer, is written in the record's
 * transaction: of equal requests, also concurrent ones, one creates the record and all answer it. A refused request
 * leaves the key free. Throws Invalid when the key was used with another body within 24 hours.
 */
export async function createIdempotent(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  body: RecordData,
  key: string,
): Promise<StoredRecord> {
  const { store } = records
  const { tenant } = actor
  const request = keyedRequest(records, actor, `POST /api/e/${table.name}`, key, body, recordAnswer)
  const known = await request.earlier()
  if (known) return known
  try {
    const prepared = await prepareNewRecord(records, actor, table, body)
    const stored = await storeNewRecord(records, actor, table, prepared, {
      extraWrites: (record) => [request.claim(record)],
    })
    // After hooks changed the record before it was answered: keep that answer for repeats.
    if (stored.version > 1)
      await mayFail('keep the answer of a request', () => store.write(tenant, { put: request.row(stored) }))
    return stored
  } catch (error) {
    // An equal request may have been faster and be the cause of the refusal.
    const faster = error instanceof TransactionRefused || error instanceof Fault ? await request.earlier() : undefined
    if (faster) return faster
    throw error
  }
}
