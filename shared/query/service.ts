import type { Clock } from '../kernel/clock.ts'
import { applicableFilters, mayOnTable } from '../kernel/permissions.ts'
import type { Viewer } from '../kernel/principal.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import type { Sequence } from '../store/sequence.ts'
import { type Tables, referencedTable, type Table } from '../tables/service.ts'
import { openReader } from './access/reader.ts'
import { openRelated, referencesIn } from './access/related.ts'
import type { Row } from './access/row.ts'
import type { Expression } from './grammar/expression-types.ts'
import { parseQuery, type Query } from './grammar/parse-query.ts'
import type { FieldNames } from './grammar/resolve-field.ts'
import { namesMoment, type Variables } from './grammar/variables.ts'
import { aggregate as aggregateRecords } from './plan/aggregate.ts'
import { compilePredicate } from './plan/compile-predicate.ts'
import { eachRow as readEachRow } from './plan/each-row.ts'
import type { QueryDependencies } from './plan/plan-context.ts'
import { readPage, type Paging, type QueryPage, type ReadOptions } from './plan/read-page.ts'
import { parseRestrictions } from './plan/restrictions.ts'
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

/** What the variables of a filter stand for. */
type FilterSubject = Pick<Viewer, 'tenant' | 'userId' | 'orgUnitIds'>

export type Queries = ReturnType<typeof createQueries>

/** The one query language over records: lists, counts, groups and whole exports, all compiled and planned the same way. */
export function createQueries(
  deps: QueryDependencies & {
    readonly tables: Pick<Tables, 'find'>
    readonly clock: Pick<Clock, 'now'>
    timeZone?(tenant: Tenant): Promise<string>
  },
) {
  /** The tables that fields of this one refer to, by name. */
  async function targetsOf(tenant: Tenant, table: Table): Promise<ReadonlyMap<string, Table>> {
    const names = new Set(table.table_fields.flatMap((field) => referencedTable(field) ?? []))
    const found = await Promise.all([...names].map((name) => deps.tables.find(tenant, name)))
    return new Map(found.flatMap((target) => (target ? [[target.name, target] as const] : [])))
  }

  async function variablesFor(
    { tenant, userId, orgUnitIds }: FilterSubject,
    filters: readonly unknown[],
  ): Promise<Variables> {
    const needsZone = filters.some(
      (filter) => filter !== undefined && filter !== null && namesMoment(JSON.stringify(filter)),
    )
    const timeZone = (needsZone && (await deps.timeZone?.(tenant))) || 'UTC'
    return { nowMs: deps.clock.now(), timeZone, userId, orgUnitIds }
  }

  /** What of a table passes one of the filters. They are the administrator's words: they see everything. */
  async function restrictionOf(viewer: FilterSubject, table: Table, filters: readonly unknown[]): Promise<Expression> {
    const [targets, variables] = await Promise.all([targetsOf(viewer.tenant, table), variablesFor(viewer, filters)])
    return parseRestrictions(filters, { table, targets, mayRead: () => true }, variables)
  }

  /** Reads a query against its table, for what the viewer may see. Throws Invalid naming every path that is wrong. */
  async function parse(viewer: Viewer, table: Table, raw: RawQuery): Promise<Query> {
    const [targets, variables] = await Promise.all([
      targetsOf(viewer.tenant, table),
      variablesFor(viewer, [raw.filter]),
    ])
    const ruled = [...new Map([...targets, [table.name, table]]).values()].flatMap((one) => {
      const rules = applicableFilters(viewer, one.name, 'read')
      return rules ? [{ table: one, rules }] : []
    })
    const mayRead = (name: string): boolean => mayOnTable(viewer, name, 'read')
    const vocabulary: FieldNames = { table, targets, mayRead }
    if (ruled.length === 0) return parseQuery(raw, vocabulary, variables)
    const seen = new Map(
      await Promise.all(
        ruled.map(async (one) => [one.table.name, await restrictionOf(viewer, one.table, one.rules)] as const),
      ),
    )
    const key = JSON.stringify([viewer.userId, viewer.orgUnitIds, ruled.map((one) => [one.table.name, one.rules])])
    return parseQuery(raw, { ...vocabulary, seen }, variables, { own: seen.get(table.name), key })
  }

  /** Those of the records that pass one of the filters; undefined in place of the others. */
  async function sift(
    viewer: FilterSubject,
    table: Table,
    filters: readonly unknown[],
    rows: readonly (Row | undefined)[],
  ): Promise<readonly (Row | undefined)[]> {
    const restriction = await restrictionOf(viewer, table, filters)
    const related = openRelated(deps.store, viewer.tenant, openReader(deps.store, viewer.tenant, table.name))
    await related.attach(
      rows.filter((row) => row !== undefined),
      referencesIn(restriction, []),
    )
    const passes = compilePredicate(restriction)
    return rows.map((row) => (row && passes(row) ? row : undefined))
  }

  const page = (
    tenant: Tenant,
    table: Table,
    query: Query,
    paging: Paging,
    options?: ReadOptions,
  ): Promise<QueryPage> => readPage(deps, tenant, table, query, paging, options)

  /** How many records a query matches, and whether that is all of them. */
  async function count(
    tenant: Tenant,
    table: Table,
    query: Query,
    sequence?: Sequence,
  ): Promise<{ count: number; isExact: boolean }> {
    const { total, isTotalExact } = await readPage(deps, tenant, table, query, { offset: 0, limit: 1 }, { sequence })
    return { count: total, isExact: isTotalExact }
  }

  const aggregate = (
    tenant: Tenant,
    table: Table,
    query: Query & { readonly aggregate: NonNullable<Query['aggregate']> },
    sequence?: Sequence,
  ): Promise<AggregateRow[]> => aggregateRecords(deps, tenant, table, query, sequence)

  /** Every record of a list, in its order and in bounded memory: for exports and jobs, which may read a whole table. */
  const eachRow = (tenant: Tenant, table: Table, query: Query): AsyncGenerator<Row> =>
    readEachRow(deps, tenant, table, query)

  return { parse, sift, page, count, aggregate, eachRow }
}
