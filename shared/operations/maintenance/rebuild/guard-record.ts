import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { TellUnreadable } from '../../../lists/columns/row-of-record.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readRecordHead } from '../../../platform/store/rows/record-row.ts'
import { readHolder, uniqueItem } from '../../../platform/store/rows/unique-row.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { and, atVersion, equals, isNew, isUndeleted, or } from '../../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { readLivingRecord, type StoredRecord } from '../../../records/records/record-item.ts'
import { guardedText, guardKey } from '../../../records/records/write/unique-guards.ts'
import type { Table } from '../../../tables/tables/table.ts'

/** A value of a unique field that two records have. */
export interface Duplicate {
  readonly field: string
  readonly value: unknown
  readonly id: number
  readonly holder: number
}

interface Guard {
  readonly field: string
  readonly value: unknown
  readonly text: string
  readonly key: Key
}

/**
 * Writes a record's guards for the fields that are becoming unique. The record keeps its version. A record that changed
 * since it was read needs nothing: that write did it all. Answers the duplicates. `tell` hears of a record whose values
 * cannot be read.
 */
export async function guardRecord(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  table: Table,
  item: Item,
  tell: TellUnreadable,
): Promise<Duplicate[]> {
  const record = readRecord(item, table, tell)
  if (!record) return []
  const duplicates: Duplicate[] = []
  let guards = guardsOf(tenant, table, record)
  const isUnchanged: Write = { check: recordKey(tenant, table.name, record.id), if: unchanged(record) }
  for (;;) {
    if (guards.length === 0) return duplicates
    try {
      await store.transact(tenant, [isUnchanged, ...guards.map((guard) => writeGuard(guard, record.id))], clock.uuid())
      return duplicates
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      // Not `commit`: the next transaction depends on which guards were refused.
      const [ofRecord, ...ofGuards] = error.reasons
      if (ofRecord?.failed) return duplicates
      const outcomes = guards.map((guard, index) => ({
        guard,
        holder: ofGuards[index]?.failed ? readHolder(ofGuards[index].existing ?? {}) : undefined,
      }))
      duplicates.push(
        ...outcomes.flatMap(({ guard: { field, value }, holder }) =>
          holder === undefined ? [] : [{ field, value, id: record.id, holder }],
        ),
      )
      guards = outcomes.filter(({ holder }) => holder === undefined).map(({ guard }) => guard)
    }
  }
}

function readRecord(item: Item, table: Table, tell: TellUnreadable): StoredRecord | undefined {
  try {
    return readLivingRecord(item, table)
  } catch (cause) {
    tell(readRecordHead(item).id, cause)
    return undefined
  }
}

const unchanged = ({ version }: StoredRecord) => and(atVersion(version), isUndeleted)

function guardsOf(tenant: TenantRef, table: Table, { data }: StoredRecord): Guard[] {
  return (table.becoming_unique ?? []).flatMap((field) => {
    const text = guardedText(table, field, data[field])
    return text === undefined ? [] : [{ field, value: data[field], text, key: guardKey(tenant, table, field, text) }]
  })
}

const writeGuard = ({ key }: Guard, id: number): Write => ({
  put: uniqueItem(key, id),
  if: or(isNew, equals('id', id)),
})
