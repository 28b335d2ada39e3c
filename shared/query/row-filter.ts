import type { Clock } from '../kernel/clock.ts'
import type { Viewer } from '../kernel/principal.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import type { Store } from '../store/store.ts'
import { referencedTable, type Table, type Tables } from '../tables/service.ts'
import type { Expression } from './grammar/expression-types.ts'
import { parseRestrictions } from './grammar/restrictions.ts'
import { namesMoment, type Variables } from './grammar/variables.ts'
import { compilePredicate } from './read/compile-predicate.ts'
import { openRelated, referencesIn } from './read/related.ts'
import type { Row } from './read/row.ts'

/** Dependencies for parsing filters: the tables they name and the values of their variables. */
export interface FilterDependencies {
  readonly tables: Pick<Tables, 'find'>
  readonly clock: Pick<Clock, 'now'>
  /** The tenant's time zone; default: UTC. */
  timeZone?(tenant: Tenant): Promise<string>
}

/** The viewer's part in the variables of a filter. */
type FilterSubject = Pick<Viewer, 'tenant' | 'userId' | 'orgUnitIds'>

export type RowFilter = ReturnType<typeof createRowFilter>

/** Filters records that are already read, for row rules: the filter grammar without lists. */
export function createRowFilter(deps: FilterDependencies & { readonly store: Store }) {
  /** The given records, with undefined in place of those that pass none of the filters. */
  async function sift(
    viewer: FilterSubject,
    table: Table,
    filters: readonly unknown[],
    rows: readonly (Row | undefined)[],
  ): Promise<readonly (Row | undefined)[]> {
    const restriction = await restrictionOf(deps, viewer, table, filters)
    const related = openRelated(deps.store, viewer.tenant)
    await related.attach(
      rows.filter((row) => row !== undefined),
      referencesIn(restriction),
    )
    const passes = compilePredicate(restriction)
    return rows.map((row) => (row && passes(row) ? row : undefined))
  }

  return { sift }
}

/** The expression for records that pass one of the filters. Filters of row rules may name every table. */
export async function restrictionOf(
  deps: FilterDependencies,
  viewer: FilterSubject,
  table: Table,
  filters: readonly unknown[],
): Promise<Expression> {
  const [targets, variables] = await Promise.all([
    targetsOf(deps, viewer.tenant, table),
    variablesFor(deps, viewer, filters),
  ])
  return parseRestrictions(filters, { table, targets, mayRead: () => true }, variables)
}

/** The tables that fields of a table refer to, by name. */
export async function targetsOf(
  { tables }: Pick<FilterDependencies, 'tables'>,
  tenant: Tenant,
  table: Table,
): Promise<ReadonlyMap<string, Table>> {
  const names = new Set(table.table_fields.flatMap((field) => referencedTable(field) ?? []))
  const found = await Promise.all([...names].map((name) => tables.find(tenant, name)))
  return new Map(found.flatMap((target) => (target ? [[target.name, target] as const] : [])))
}

/** The values of the variables in these filters. Reads the time zone only if one of them needs it. */
export async function variablesFor(
  deps: Pick<FilterDependencies, 'clock' | 'timeZone'>,
  { tenant, userId, orgUnitIds }: FilterSubject,
  filters: readonly unknown[],
): Promise<Variables> {
  const needsZone = filters.some(
    (filter) => filter !== undefined && filter !== null && namesMoment(JSON.stringify(filter)),
  )
  const timeZone = (needsZone && (await deps.timeZone?.(tenant))) || 'UTC'
  return { nowMs: deps.clock.now(), timeZone, userId, orgUnitIds }
}
