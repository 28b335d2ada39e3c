import { isDeepStrictEqual } from 'node:util'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import {
  readMergedFrom,
  readRecordData,
  readRecordHead,
  readSurvivorVersion,
  type RecordData,
} from '../../platform/store/rows/record-row.ts'
import { withNames } from '../../platform/store/rows/stored-names.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { FieldChange } from '../../platform/trail/trail-event.ts'
import { typeOfField } from '../../tables/field-types/read-field.ts'
import { pathsIn } from '../../tables/files/claims.ts'
import { withComputed } from '../../tables/formulas/service.ts'
import type { Table } from '../../tables/tables/table.ts'
import { readChanges } from '../history/history-row.ts'
import { readHistoryRows } from '../history/read-history-rows.ts'

export interface OwnWordsDependencies {
  readonly store: Pick<Store, 'getMany' | 'query'>
  readonly clock: Clock
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/**
 * The fields of a record as its requester knows them: without the values and files that merges brought into it from
 * records of others, as far as nobody wrote the field since. The history of the merges says which those are.
 */
export async function ownWords(
  services: OwnWordsDependencies,
  tenant: TenantRef,
  table: Table,
  item: Item,
): Promise<RecordData> {
  const data = readRecordData(item, table)
  const ids = readMergedFrom(item)
  if (ids.length === 0) return data
  const { name: model } = table
  const merged = await services.store.getMany(
    tenant,
    ids.map((id) => recordKey(tenant, model, id)),
  )
  const own = new Map(Object.entries(data))
  // The last merge is taken off first: an earlier one may have filled what it found empty.
  for (const other of merged.toReversed()) {
    if (!other) continue
    const brought = new Map(Object.entries(readRecordData(other, table)))
    const changes = await changesOfMerge(services, tenant, table, item, other)
    for (const field of table.table_fields) {
      const { name } = field
      const [value, given] = [own.get(name), brought.get(name)]
      // Without the row of history, what both have counts as brought.
      const { old, new: filled } = changes ? (changes.get(name) ?? unchanged) : { old: null, new: given }
      if (filled === undefined || filled === null) continue
      const paths = typeOfField(field).files ? pathsIn(given) : []
      if (isDeepStrictEqual(value, filled) && isDeepStrictEqual(given, filled)) own.set(name, old ?? null)
      else if (Array.isArray(value) && paths.length > 0)
        own.set(
          name,
          value.filter((path) => !paths.includes(path) || pathsIn(old).includes(path)),
        )
    }
  }
  return withComputed(table, Object.fromEntries(own))
}

const unchanged: FieldChange = { old: null, new: null }

/** What the merge of another record changed in this one; undefined when its history is not written yet. */
async function changesOfMerge(
  { store, clock, fetchObject }: OwnWordsDependencies,
  tenant: TenantRef,
  table: Table,
  item: Item,
  other: Item,
): Promise<ReadonlyMap<string, FieldChange> | undefined> {
  const version = readSurvivorVersion(other)
  const { id } = readRecordHead(item)
  const changedAt = readRecordHead(other).updated_at
  const { rows } = await readHistoryRows({ store, clock }, tenant, {
    model: table.name,
    id,
    from: version,
    to: version,
    changedAt,
  })
  return rows[0] && new Map(Object.entries(withNames(table, await readChanges(rows[0], fetchObject))))
}
