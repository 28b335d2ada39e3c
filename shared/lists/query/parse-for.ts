import { applicableFilters, mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Table } from '../../tables/tables/table.ts'
import { parseQuery, type Query } from './grammar/parse-query.ts'
import type { FieldNames } from './grammar/resolve-field.ts'
import { type FilterDependencies, restrictionOf, targetsOf, variablesFor } from './row-filter.ts'
import type { RawQuery } from './schema.ts'

export interface ParseOptions {
  /** Options and states in the filter have to exist, as in what a person writes. */
  readonly checksSlugs?: boolean
}

/**
 * Parses a query against its table, limited to what the viewer may see. Throws Invalid naming every path that is wrong.
 * It needs no columns, so that what is stored can be checked where no list is read.
 */
export async function parseFor(
  services: FilterDependencies,
  viewer: Viewer,
  table: Table,
  raw: RawQuery,
  { checksSlugs = false }: ParseOptions = {},
): Promise<Query> {
  const targets = await targetsOf(services, viewer.tenant, table, raw)
  const used = [...new Map([...targets, [table.name, table]]).values()]
  const ruled = used.flatMap((one) => {
    const rules = applicableFilters(viewer, one.name, 'read')
    return rules ? [{ table: one, rules }] : []
  })
  const readable = new Map(
    used.flatMap(({ name }) => {
      const fields = permittedFields(viewer, name, 'read')
      return fields ? [[name, fields] as const] : []
    }),
  )
  const filters = [raw.filter, raw.having, ...ruled.flatMap(({ rules }) => rules)]
  // Hours and days of groups begin in the tenant's time zone.
  const asksForZone = raw.group_by?.some((name) => name.includes(':')) === true
  const variables = await variablesFor(services, viewer, filters, { asksForZone })
  const mayRead = (name: string): boolean => mayOnTable(viewer, name, 'read')
  const internal = mayOnTable(viewer, table.name, 'comment_internal')
  // A message may hold what a field holds that the viewer does not read.
  const hears = { internal, messages: mayOnTable(viewer, 'incoming_messages', 'read') && !readable.has(table.name) }
  const fieldNames: FieldNames = { table, targets, mayRead, hears, ...(readable.size > 0 && { readable }) }
  if (ruled.length === 0 && readable.size === 0) return parseQuery(raw, fieldNames, variables, undefined, checksSlugs)
  const visible = new Map(
    await Promise.all(
      ruled.map(
        async (one) =>
          [one.table.name, await restrictionOf(services, viewer, one.table, one.rules, variables)] as const,
      ),
    ),
  )
  const key = JSON.stringify([
    viewer.userId,
    variables.orgUnitIds,
    ruled.map((one) => [one.table.name, one.rules]),
    [...readable].map(([name, fields]) => [name, [...fields].sort()]),
    hears,
  ])
  const restrictions = { own: visible.get(table.name), key }
  return parseQuery(raw, { ...fieldNames, visible }, variables, restrictions, checksSlugs)
}
