import { unrestricted, type Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Queries } from '../../lists/query/service.ts'
import { checkValue, typeOfField } from '../../tables/field-types/read-field.ts'
import { type RollupField, rollupsOf } from '../../tables/tables/checks/check-rollups.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Table } from '../../tables/tables/table.ts'

export interface RollupSources {
  readonly tables: Pick<Tables, 'find'>
  readonly queries: Pick<Queries, 'parse' | 'aggregate'>
}

/** The values of a table's rollups for one of its records, by the name of the field. */
export type RollupValues = Readonly<Record<string, unknown>>

/** Records of one query; a filter takes as many values. */
export const maxRolledUpAtOnce = 250

/**
 * What the rollups of a table are for some of its records: an aggregation of the list engine for each rollup, grouped by
 * the reference. It is as fresh as a list.
 */
export async function rollupValues(
  sources: RollupSources,
  tenant: Tenant,
  table: Table,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RollupValues>> {
  const values = new Map<number, Record<string, unknown>>(ids.map((id) => [id, {}]))
  for (const field of rollupsOf(table)) {
    const found = await valuesOf(sources, tenant, field, ids)
    for (const [id, own] of values) own[field.name] = found.get(id) ?? typeOfField(field).newValue?.(field) ?? null
  }
  return values
}

async function valuesOf(
  { tables, queries }: RollupSources,
  tenant: Tenant,
  field: RollupField,
  ids: readonly number[],
): Promise<ReadonlyMap<number, unknown>> {
  const { table: name = '', field: by = '', aggregate = 'count', of = '', filter } = field
  const over = await tables.find(tenant, name)
  const isWhole = over?.fieldsByName.has(by) && (aggregate === 'count' || over.fieldsByName.has(of))
  // A table that comes later, or was removed, has no records that refer.
  if (!over || !isWhole) return new Map()
  const viewer: Viewer = { ...unrestricted, tenant, userId: 0 }
  const query = await queries.parse(viewer, over, {
    filter: { _and: [{ [by]: { _in: [...ids] } }, ...(filter ? [filter] : [])] },
    group_by: [by],
    aggregate: aggregate === 'count' ? { count: '*' } : { [aggregate]: [of] },
  })
  const plan = query.aggregate
  if (!plan) throw new Error(`the rollup ${field.name} has no aggregation`)
  const { rows } = await queries.aggregate(
    tenant,
    over,
    { ...query, aggregate: plan },
    { offset: 0, limit: ids.length },
  )
  return new Map(
    rows.map((row) => {
      const value = aggregate === 'count' ? row.count : row[aggregate]?.[of]
      return [Number(row.group[by]), storedValue(field, value)]
    }),
  )
}

function storedValue(field: RollupField, value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  // As exact as the list engine has it: a rollup has no scale of its own.
  if (field.result === 'decimal') return String(value)
  const checked = checkValue(field, value)
  return 'value' in checked ? checked.value : undefined
}
