import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readMergeChain } from '../../../platform/store/ranges/merged-records.ts'
import {
  asUnmerged,
  livingAttributes,
  readMergedInto,
  readRecordData,
  readRecordHead,
} from '../../../platform/store/rows/record-row.ts'
import { readHolder } from '../../../platform/store/rows/unique-row.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { checkValue } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { guardedText, guardKey } from '../write/unique-guards.ts'
import { idsNamed } from './selected-record.ts'

type Reads = Pick<Store, 'getMany'>

/** The row of a record that was merged, and that of the one that it is part of now. */
export interface MergedHolder {
  readonly merged: Item
  readonly survivor: Item
}

/** Those of some records that were merged, by id: no list has them, and their unique values and numbers stay theirs. */
export async function mergedAmong(
  store: Reads,
  tenant: TenantRef,
  model: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MergedHolder>> {
  const keys = [...new Set(ids)].map((id) => recordKey(tenant, model, id))
  const heads = keys.length === 0 ? [] : await store.getMany(tenant, keys, livingAttributes)
  const merged = keys.filter((_, index) => readMergedInto(heads[index]) !== undefined)
  const found = await Promise.all(
    merged.map(async ({ sk }): Promise<[number, MergedHolder][]> => {
      const chain = await readMergeChain(store, tenant, { model, id: Number(sk) })
      const [first, last] = [chain?.[0], chain?.at(-1)]
      return first && last && first !== last ? [[Number(sk), { merged: first, survivor: last }]] : []
    }),
  )
  return new Map(found.flat())
}

/** A value of a field that only one record has: a unique one, or the number that the service gave. */
interface AskedValue {
  readonly field: string
  readonly value: unknown
}

/** The merged records that have some values, in the order of these; undefined where there is none. */
export async function mergedByValues(
  store: Reads,
  tenant: TenantRef,
  table: Table,
  asked: readonly AskedValue[],
): Promise<readonly (MergedHolder | undefined)[]> {
  const texts = asked.map(({ field, value }) => textOf(table, field, value))
  const keys = asked.map(({ field }, index) => {
    const text = texts[index]
    return text !== undefined && table.uniqueFields.includes(field) ? guardKey(tenant, table, field, text) : undefined
  })
  const wanted = keys.filter((key) => key !== undefined)
  const guards = wanted.length === 0 ? [] : await store.getMany(tenant, wanted, ['pk', 'sk', 'id'])
  const ids = asked.map(({ field, value }, index): readonly number[] => {
    const key = keys[index]
    const guard = key && guards[wanted.indexOf(key)]
    if (guard) return [readHolder(guard)]
    const type = table.fieldsByName.get(field)
    return type?.type === 'auto_number' && typeof value === 'string'
      ? idsNamed({ table_fields: [type] }, undefined, value)
      : []
  })
  const merged = await mergedAmong(store, tenant, table.name, ids.flat())
  return asked.map(({ field }, index) =>
    ids[index]
      ?.map((id) => merged.get(id))
      .find((one) => one && guardedText(table, field, readRecordData(one.merged, table)[field]) === texts[index]),
  )
}

function textOf(table: Table, field: string, value: unknown): string | undefined {
  const type = table.fieldsByName.get(field)
  if (!type) return undefined
  const checked = checkValue(type, value)
  // What the service makes is not checked as what somebody sends.
  return guardedText(table, field, 'error' in checked ? value : checked.value)
}

/** Those of merged holders whose two records the viewer may read. */
export async function readableHolders(
  access: Pick<RowAccess, 'permitted'>,
  viewer: Viewer,
  model: string,
  holders: readonly MergedHolder[],
): Promise<MergedHolder[]> {
  if (holders.length === 0 || !mayOnTable(viewer, model, 'read')) return []
  const seen = await access.permitted(
    viewer,
    model,
    'read',
    holders.flatMap(({ merged, survivor }) => [asUnmerged(merged), survivor]),
  )
  return holders.filter((_, index) => seen[2 * index] && seen[2 * index + 1])
}

/** The ids of a holder: of the record that was merged, and of the one that it is part of. */
export const idsOfHolder = ({ merged, survivor }: MergedHolder): { readonly id: number; readonly into: number } => ({
  id: readRecordHead(merged).id,
  into: readRecordHead(survivor).id,
})
