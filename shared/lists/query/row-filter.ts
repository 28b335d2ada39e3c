import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import { referencedTable } from '../../tables/field-types/read-field.ts'
import type { OrgTree } from '../../tables/org-units/org-tree.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { Expression } from './grammar/expression.ts'
import { parseRestrictions } from './grammar/restrictions.ts'
import { namesMoment, namesOrgUnits, type Variables } from './grammar/variables.ts'
import { compilePredicate } from './read/compile-predicate.ts'
import { openRelated, referencesIn } from './read/related.ts'
import type { Row } from './read/row.ts'

/** Dependencies for parsing filters: the tables they name and the values of their variables. */
export interface FilterDependencies {
  readonly tables: Pick<Tables, 'find'>
  readonly clock: Pick<Clock, 'now'>
  /** The tenant's time zone; default: UTC. */
  timeZone?(tenant: Tenant): Promise<string>
  readonly orgTree: Pick<OrgTree, 'withDescendants'>
}

/** The viewer's part in the variables of a filter. */
type FilterSubject = Pick<Viewer, 'tenant' | 'userId' | 'orgUnitIds'>

export type RowFilter = ReturnType<typeof createRowFilter>

/** Filters records that are already read, for row rules: the filter grammar without lists. */
export function createRowFilter(services: FilterDependencies & { readonly store: Store }) {
  /** The given records, with undefined in place of those that pass none of the filters. */
  async function filterRows(
    viewer: FilterSubject,
    table: Table,
    filters: readonly unknown[],
    rows: readonly (Row | undefined)[],
  ): Promise<readonly (Row | undefined)[]> {
    const variables = await variablesFor(services, viewer, filters)
    const restriction = await restrictionOf(services, viewer, table, filters, variables)
    const related = openRelated(services.store, viewer.tenant)
    await related.attach(
      rows.filter((row) => row !== undefined),
      referencesIn(restriction),
    )
    const passes = compilePredicate(restriction)
    return rows.map((row) => (row && passes(row) ? row : undefined))
  }

  return { filterRows }
}

/** The expression for records that pass one of the filters. Filters of row rules may name every table and field. */
export async function restrictionOf(
  services: Pick<FilterDependencies, 'tables'>,
  { tenant }: Pick<FilterSubject, 'tenant'>,
  table: Table,
  filters: readonly unknown[],
  variables: Variables,
): Promise<Expression> {
  const targets = await targetsOf(services, tenant, table, filters)
  return parseRestrictions(filters, { table, targets, mayRead: () => true }, variables)
}

/**
 * The tables, by name, that fields of a table refer to and that a query may need: a field that stands nowhere in `asked`
 * is not read for, which saves the first list of a process a call for each.
 */
export async function targetsOf(
  { tables }: Pick<FilterDependencies, 'tables'>,
  tenant: Tenant,
  table: Table,
  asked: unknown,
): Promise<ReadonlyMap<string, Table>> {
  const text = JSON.stringify(asked ?? null)
  const names = new Set(
    table.table_fields.flatMap((field) => (text.includes(field.name) ? (referencedTable(field) ?? []) : [])),
  )
  const found = await Promise.all([...names].map((name) => tables.find(tenant, name)))
  return new Map(found.flatMap((target) => (target ? [[target.name, target] as const] : [])))
}

/** The values of the variables in these filters. Reads the time zone and the org units only if one needs them. */
export async function variablesFor(
  services: Pick<FilterDependencies, 'clock' | 'timeZone' | 'orgTree'>,
  { tenant, userId, orgUnitIds }: FilterSubject,
  filters: readonly unknown[],
  { asksForZone = false }: { readonly asksForZone?: boolean } = {},
): Promise<Variables> {
  const texts = filters.flatMap((filter) => (filter === undefined || filter === null ? [] : [JSON.stringify(filter)]))
  const [timeZone, units] = await Promise.all([
    asksForZone || texts.some(namesMoment) ? services.timeZone?.(tenant) : undefined,
    texts.some(namesOrgUnits) ? services.orgTree.withDescendants(tenant, orgUnitIds) : orgUnitIds,
  ])
  return { nowMs: services.clock.now(), timeZone: timeZone ?? 'UTC', userId, orgUnitIds: units }
}
