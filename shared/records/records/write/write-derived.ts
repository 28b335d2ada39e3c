import { maxRecordBytes } from '../../../kernel/limits/records.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { isoTime, type Clock } from '../../../kernel/time/clock.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { derivedUpdate } from '../../../platform/store/rows/derived-version.ts'
import { readChangedAt } from '../../../platform/store/rows/record-row.ts'
import { type RecordTable, writeRecordData } from '../../../platform/store/rows/write-record-row.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { and, atVersion, isUndeleted } from '../../../platform/store/writes/conditions.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { readLivingRecord, type RecordData, type StoredRecord } from '../record-item.ts'
import { changedFields } from './check-fields.ts'

/** Nobody waits for it, and who gives up only comes again much later: ms. */
const contestedMs = 15_000

interface DerivedWrite {
  /** What made the values: the source of the history entry. */
  readonly source: 'formula' | 'rollup'
  /** The record's row as it was read before the values were made; else it is read first. */
  readonly item?: Item | undefined
  /** The data with its derived values as they are now. It is asked again when the record has changed meanwhile. */
  readonly derive: (record: StoredRecord, again: boolean) => Promise<RecordData>
}

/**
 * Brings the derived values of a record up to date: as a version of the record, so that lists, the change feed and
 * history have it, but not as a change of somebody: no hooks, nobody is notified, `updated_at` stays, and an `If-Match` of
 * the version before still holds. The row is read before the values are made and must be unchanged, so that values made
 * later win. Answers whether something was written.
 */
export async function writeDerived(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  tenant: Tenant,
  table: RecordTable,
  id: number,
  { source, item, derive }: DerivedWrite,
): Promise<boolean> {
  const key = recordKey(tenant, table.name, id)
  let current = item ?? (await store.get(tenant, key))
  let isAgain = false
  return retryWithJitter(
    clock,
    async (again) => {
      const before = readLivingRecord(current, table)
      if (!before || !current) return false
      const data = await derive(before, isAgain)
      if (changedFields(before.data, data).length === 0) return false
      const text = writeRecordData(table, data)
      if (Buffer.byteLength(text) > maxRecordBytes) return false
      const at = isoTime(Math.max(clock.now(), Date.parse(readChangedAt(current))))
      try {
        await store.write(tenant, {
          update: key,
          change: derivedUpdate(tenant, table, current, { data, text, source, at, writeId: clock.uuid() }),
          if: and(atVersion(before.version), isUndeleted),
        })
        return true
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error
        current = await store.get(tenant, key)
        isAgain = true
        return again(error)
      }
    },
    contestedMs,
  )
}
