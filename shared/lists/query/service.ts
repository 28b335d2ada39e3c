import { Invalid } from '../../kernel/failures/faults.ts'
import { applicableFilters, mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Sequence } from '../../platform/store/sequence/sequence.ts'
import type { Table } from '../../tables/tables/service.ts'
import { asGridRefusal, readGridRequest, type GridRequest } from './ag-grid/grid-request.ts'
import type { EvaluationDependencies } from './evaluate/open-evaluation.ts'
import { parseQuery, type Query } from './grammar/parse-query.ts'
import type { FieldNames } from './grammar/resolve-field.ts'
import { aggregate as aggregateRecords, type GroupPage } from './read/aggregate.ts'
import { countRecords } from './read/count-records.ts'
import { findReferences } from './read/find-references.ts'
import { readPage, type Paging, type QueryPage } from './read/read-page.ts'
import { openRelated, type Related } from './read/related.ts'
import { restrictionOf, targetsOf, variablesFor, type FilterDependencies } from './row-filter.ts'
import type { QueryBody, RawQuery } from './schema.ts'

export type { Related } from './read/related.ts'
export { rowOf, sizeOf, type Row } from './read/row.ts'
export { isGridRequest, type GridRequest } from './ag-grid/grid-request.ts'
export { gridGroupRows } from './ag-grid/group-rows.ts'
export { peopleTarget, standardFieldsByName } from './grammar/field.ts'
export { checkFilter } from './grammar/check-filter.ts'
export { type Operator, operators } from './grammar/operators.ts'
export type { Query } from './grammar/parse-query.ts'
export type { Expansion, SelectedMembers, Selection } from './grammar/parse-selection.ts'
export { readTimeZone } from './grammar/time-zone.ts'
export { fieldAt } from './grammar/resolve-field.ts'
export { readMoment, shownIn } from './grammar/variables.ts'
export type { Paging, QueryPage } from './read/read-page.ts'
export { checkTableRules } from './conditions/check-table-rules.ts'
export { createConditions, type Conditions, type OpenConditions } from './conditions/open-conditions.ts'
export { createRowFilter, type RowFilter } from './row-filter.ts'

export type Queries = ReturnType<typeof createQueries>

/** The query language over records: lists, counts, groups and exports, all parsed and evaluated the same way. */
export function createQueries(deps: EvaluationDependencies & FilterDependencies) {
  /**
   * Parses a query against its table, limited to what the viewer may see. Throws Invalid naming every path that is
   * wrong. `checksSlugs`: options and states in its filter have to exist, as in what a person writes.
   */
  async function parse(viewer: Viewer, table: Table, raw: RawQuery, { checksSlugs = false } = {}): Promise<Query> {
    const targets = await targetsOf(deps, viewer.tenant, table, raw)
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
    const variables = await variablesFor(deps, viewer, [raw.filter, ...ruled.flatMap(({ rules }) => rules)])
    const mayRead = (name: string): boolean => mayOnTable(viewer, name, 'read')
    const fieldNames: FieldNames = { table, targets, mayRead, ...(readable.size > 0 && { readable }) }
    if (ruled.length === 0 && readable.size === 0) return parseQuery(raw, fieldNames, variables, undefined, checksSlugs)
    const visible = new Map(
      await Promise.all(
        ruled.map(
          async (one) => [one.table.name, await restrictionOf(deps, viewer, one.table, one.rules, variables)] as const,
        ),
      ),
    )
    const key = JSON.stringify([
      viewer.userId,
      variables.orgUnitIds,
      ruled.map((one) => [one.table.name, one.rules]),
      [...readable].map(([name, fields]) => [name, [...fields].sort()]),
    ])
    const restrictions = { own: visible.get(table.name), key }
    return parseQuery(raw, { ...fieldNames, visible }, variables, restrictions, checksSlugs)
  }

  /** Parses a request of AG Grid. Throws Invalid naming every path of it that is wrong. */
  async function parseGrid(
    viewer: Viewer,
    table: Table,
    body: QueryBody,
  ): Promise<{ readonly grid: GridRequest; readonly query: Query }> {
    const { tenant } = viewer
    // Only filters may name days, which begin in the tenant's time zone.
    const zone = body.filterModel ? await timeZone(tenant) : 'UTC'
    const targets = await targetsOf(deps, tenant, table, [body.filterModel, body.rowGroupCols, body.valueCols])
    const grid = readGridRequest(body, table, targets, { nowMs: deps.clock.now(), timeZone: zone })
    // A grid filters by values that it has read, which may be of options that were removed.
    const query = await parse(viewer, table, grid.query).catch((error: unknown) => {
      throw asGridRefusal(error, grid)
    })
    if (Object.keys(grid.errors).length > 0) throw new Invalid(grid.errors)
    return { grid, query }
  }

  /** One page of a list; `sequence` is the table's sequence row, if the caller has read it. Throws as `readPage` does. */
  const page = (tenant: Tenant, table: Table, query: Query, paging: Paging, sequence?: Sequence): Promise<QueryPage> =>
    readPage(deps, tenant, table, query, paging, sequence)

  /** The number of records that a query matches. */
  const count = (tenant: Tenant, table: Table, query: Query): Promise<number> =>
    countRecords(deps, tenant, table, query)

  /** Some groups of an aggregation. */
  const aggregate = (
    tenant: Tenant,
    table: Table,
    query: Query & { readonly aggregate: NonNullable<Query['aggregate']> },
    paging: Pick<Paging, 'offset' | 'limit'>,
  ): Promise<GroupPage> => aggregateRecords(deps, tenant, table, query, paging)

  /** The records of a table that refer to record `id` through a field, at most `limit`. */
  async function referencesTo(
    tenant: Tenant,
    table: Table,
    field: string,
    id: number,
    limit: number,
  ): Promise<number[]> {
    const definition = table.fieldsByName.get(field)
    return definition ? findReferences(deps, tenant, table, definition, id, limit) : []
  }

  /** Reads the records that others refer to, each once. */
  const related = (tenant: Tenant): Related => openRelated(deps.store, tenant)

  /** The time zone in which the tenant's days begin. */
  const timeZone = async (tenant: Tenant): Promise<string> => (await deps.timeZone?.(tenant)) ?? 'UTC'

  return { parse, parseGrid, timeZone, page, count, aggregate, referencesTo, related }
}
