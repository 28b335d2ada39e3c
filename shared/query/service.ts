import { applicableFilters, mayOnTable } from '../kernel/permissions.ts'
import type { Viewer } from '../kernel/principal.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import type { Sequence } from '../store/sequence.ts'
import type { Table } from '../tables/service.ts'
import type { Row } from './access/row.ts'
import { parseQuery, type Query } from './grammar/parse-query.ts'
import type { FieldNames } from './grammar/resolve-field.ts'
import { aggregate as aggregateRecords } from './plan/aggregate.ts'
import { eachRow as readEachRow } from './plan/each-row.ts'
import type { QueryDependencies } from './plan/plan-context.ts'
import { readPage, type Paging, type QueryPage, type ReadOptions } from './plan/read-page.ts'
import { restrictionOf, targetsOf, variablesFor, type FilterDependencies } from './row-filter.ts'
import type { AggregateRow, RawQuery } from './schema.ts'

export type { Related } from './access/related.ts'
export { rowOf, sizeOf, type Row } from './access/row.ts'
export { asGridRefusal, isGridRequest, readGridRequest } from './ag-grid/grid-request.ts'
export { peopleTarget } from './grammar/field.ts'
export type { QueryField } from './grammar/expression-types.ts'
export { parseFilter } from './grammar/parse-filter.ts'
export type { Query } from './grammar/parse-query.ts'
export type { Selection } from './grammar/parse-selection.ts'
export { readTimeZone } from './grammar/time-zone.ts'
export type { Variables } from './grammar/variables.ts'
export type { QueryDependencies } from './plan/plan-context.ts'
export type { Paging, QueryPage } from './plan/read-page.ts'
export { createRowFilter, type RowFilter } from './row-filter.ts'

export type Queries = ReturnType<typeof createQueries>

/** The query language over records: lists, counts, groups and exports, all parsed and planned the same way. */
export function createQueries(deps: QueryDependencies & FilterDependencies) {
  /**
   * Parses a query against its table, limited to what the viewer may see. Throws Invalid naming every path that is
   * wrong.
   */
  async function parse(viewer: Viewer, table: Table, raw: RawQuery): Promise<Query> {
    const [targets, variables] = await Promise.all([
      targetsOf(deps, viewer.tenant, table),
      variablesFor(deps, viewer, [raw.filter]),
    ])
    const ruled = [...new Map([...targets, [table.name, table]]).values()].flatMap((one) => {
      const rules = applicableFilters(viewer, one.name, 'read')
      return rules ? [{ table: one, rules }] : []
    })
    const mayRead = (name: string): boolean => mayOnTable(viewer, name, 'read')
    const fieldNames: FieldNames = { table, targets, mayRead }
    if (ruled.length === 0) return parseQuery(raw, fieldNames, variables)
    const visible = new Map(
      await Promise.all(
        ruled.map(async (one) => [one.table.name, await restrictionOf(deps, viewer, one.table, one.rules)] as const),
      ),
    )
    const key = JSON.stringify([viewer.userId, viewer.orgUnitIds, ruled.map((one) => [one.table.name, one.rules])])
    return parseQuery(raw, { ...fieldNames, visible }, variables, { own: visible.get(table.name), key })
  }

  /** One page of a list. Throws as `readPage` does. */
  const page = (
    tenant: Tenant,
    table: Table,
    query: Query,
    paging: Paging,
    options?: ReadOptions,
  ): Promise<QueryPage> => readPage(deps, tenant, table, query, paging, options)

  /** The number of records that a query matches; a lower bound unless `isExact`. */
  async function count(
    tenant: Tenant,
    table: Table,
    query: Query,
    sequence?: Sequence,
  ): Promise<{ count: number; isExact: boolean }> {
    const { total, isTotalExact } = await readPage(deps, tenant, table, query, { offset: 0, limit: 1 }, { sequence })
    return { count: total, isExact: isTotalExact }
  }

  /** The groups of an aggregation. */
  const aggregate = (
    tenant: Tenant,
    table: Table,
    query: Query & { readonly aggregate: NonNullable<Query['aggregate']> },
    sequence?: Sequence,
  ): Promise<AggregateRow[]> => aggregateRecords(deps, tenant, table, query, sequence)

  /** Every record of a list in order and in bounded memory, for jobs: it may read a whole table. */
  const eachRow = (tenant: Tenant, table: Table, query: Query): AsyncGenerator<Row> =>
    readEachRow(deps, tenant, table, query)

  return { parse, page, count, aggregate, eachRow }
}
