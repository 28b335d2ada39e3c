import { gunzipSync, gzipSync } from 'node:zlib'
import { Fault } from '../faults.ts'
import { mayFail } from '../log.ts'
import { idempotencyMs, keyUsedOtherwise } from '../http/idempotency-key.ts'
import { idempotencyKey, keyHash, type Key } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import { TransactionRefused } from '../store/refusals.ts'
import type { Write } from '../store/table.ts'
import type { Table } from '../tables/table.ts'
import { prepareNewRecord, storeNewRecord } from './create-record.ts'
import type { Actor, EntityDependencies } from './deps.ts'
import type { RecordData, StoredRecord } from './record-item.ts'

const gzipOverCharacters = 8 * 1024

/**
 * Creates a record under an `Idempotency-Key`: the key's row, with the answer in it, is written in the record's own
 * transaction, so of any number of equal requests, also at once, one makes a record and all answer it. A request that is
 * refused leaves the key free. Throws Invalid when the key came with another body within 24 hours.
 */
export async function createOnce(deps: EntityDependencies, actor: Actor, table: Table, body: RecordData, key: string): Promise<StoredRecord> {
  const { store, clock } = deps
  const { tenant, userId } = actor
  const place = idempotencyKey(tenant, userId, `POST /api/e/${table.name}`, key)
  const bodyHash = keyHash(JSON.stringify(body))
  const nowSeconds = Math.floor(clock.now() / 1000)

  async function firstAnswer(): Promise<StoredRecord | undefined> {
    const row = await store.get(tenant, place)
    if (!row || Number(row.expires_at) < nowSeconds) return undefined
    if (row.body_hash !== bodyHash) throw keyUsedOtherwise()
    return readAnswer(row)
  }
  const keyRow = (record: StoredRecord): Item & Key => ({
    ...place,
    kind: 'idempotency',
    v: 1,
    body_hash: bodyHash,
    answer: packAnswer(record),
    expires_at: nowSeconds + idempotencyMs / 1000,
  })
  const claim = (record: StoredRecord): Write => ({
    put: keyRow(record),
    if: { expression: 'attribute_not_exists(pk) OR expires_at < :now', values: { ':now': nowSeconds } },
  })

  const known = await firstAnswer()
  if (known) return known
  try {
    const prepared = await prepareNewRecord(deps, actor, table, body)
    const stored = await storeNewRecord(deps, actor, table, prepared, { beside: (record) => [claim(record)] })
    // After hooks changed the record before it was answered: that is what a repeat must see.
    if (stored.version > 1) await mayFail('keep the answer of a request', () => store.write(tenant, { put: keyRow(stored) }))
    return stored
  } catch (error) {
    // An equal request may have been faster, and be the very reason of the refusal.
    const faster = error instanceof TransactionRefused || error instanceof Fault ? await firstAnswer() : undefined
    if (faster) return faster
    throw error
  }
}

/** A record of 350 KB must fit: long answers are compressed. */
function packAnswer(record: StoredRecord): string | Uint8Array {
  const text = JSON.stringify(record)
  return text.length > gzipOverCharacters ? gzipSync(text) : text
}

const readAnswer = ({ answer }: Item): StoredRecord =>
  JSON.parse(answer instanceof Uint8Array ? gunzipSync(answer).toString() : String(answer)) as StoredRecord
