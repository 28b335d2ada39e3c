import { gzipSync } from 'node:zlib'
import { historyKey } from '../../platform/store/keys/history.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { readJson } from '../../platform/store/values/json-attribute.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { gunzipJson } from '../../platform/store/values/pack-json.ts'
import { type FieldChange, trailEntries } from '../../platform/trail/trail-event.ts'
import type { HistoryEntry } from './history-entry.ts'

const gzipOverBytes = 50 * 1024
const objectOverBytes = 350 * 1024

/** A row, and the object with its changes when these are too large for a row. */
export interface HistoryRow {
  readonly item: Item & Key
  readonly object?: { readonly key: string; readonly body: Uint8Array }
}

/** The changes are JSON in the row; over 50 KB they are compressed, over 350 KB compressed in an object. */
export function historyRow(entry: HistoryEntry): HistoryRow {
  const tenant = { id: entry.tenantId }
  const head = {
    ...historyKey(tenant, entry.model, entry.recordId, entry.version),
    ...trailEntries(tenant, entry.userId, entry),
    kind: 'history',
    v: 1,
    model: entry.model,
    record_id: entry.recordId,
    version: entry.version,
    action: entry.action,
    user_id: entry.userId,
    impersonator_id: entry.impersonatorId,
    source: entry.source,
    batch_id: entry.batchId,
    at: entry.at,
    ...(entry.merge && { merge: JSON.stringify(entry.merge) }),
  }
  const changes = JSON.stringify(entry.changes)
  if (changes.length <= gzipOverBytes) return { item: { ...head, changes } }
  const packed = gzipSync(changes)
  if (packed.length <= objectOverBytes) return { item: { ...head, changes_gzip: packed } }
  const key = `history/${entry.tenantId}/${entry.model}/${entry.recordId}/${entry.version}.json.gz`
  return { item: { ...head, changes_object: key }, object: { key, body: packed } }
}

type Changes = Record<string, FieldChange>

/** The changes of a row. `fetchObject` reads them when they are in an object. */
export async function readChanges(item: Item, fetchObject: (key: string) => Promise<Uint8Array>): Promise<Changes> {
  if (item.changes !== undefined) return readJson<Changes>(item, 'changes')
  const packed =
    item.changes_gzip instanceof Uint8Array ? item.changes_gzip : await fetchObject(String(item.changes_object))
  return gunzipJson<Changes>(packed)
}
