import type { Clock } from '../clock.ts'
import type { Sequence } from '../store/sequence.ts'
import { referencedTable, type Table } from '../tables/table.ts'
import type { Tables } from '../tables/service.ts'
import type { Tenant } from '../tenancy.ts'
import { aggregate as aggregateRecords } from './aggregate.ts'
import { eachRow as readEachRow } from './each-row.ts'
import type { Expression } from './expression.ts'
import { parseQuery, type Query } from './parse-query.ts'
import { readPage, type Paging, type QueryPage, type ReadOptions } from './read-page.ts'
import type { Row } from './row.ts'
import type { QueryDependencies } from './run.ts'
import type { AggregateRow, RawQuery } from './schema.ts'
import { namesMoment } from './variables.ts'

/** In whose name a query is asked. */
export interface Asker {
  readonly tenant: Tenant
  readonly userId?: number
  readonly orgUnitIds: readonly number[]
  mayRead(table: string): boolean
}

export type Queries = ReturnType<typeof createQueries>

/** The one query language over records: lists, counts, groups and whole exports, all compiled and planned the same way. */
export function createQueries(deps: QueryDependencies & { readonly tables: Tables; readonly clock: Pick<Clock, 'now'>; timeZone?(tenant: Tenant): Promise<string> }) {
  /** Reads a query against its table. Throws Invalid naming every path that is wrong. `restrictions`: what the asker may see. */
  async function parse(asker: Asker, table: Table, raw: RawQuery, restrictions?: Expression): Promise<Query> {
    const { tenant } = asker
    const names = new Set(table.table_fields.flatMap((field) => referencedTable(field) ?? []))
    const found = await Promise.all([...names].map((name) => deps.tables.find(tenant, name)))
    const targets = new Map(found.flatMap((target) => (target ? [[target.name, target] as const] : [])))
    const needsZone = raw.filter !== undefined && raw.filter !== null && namesMoment(JSON.stringify(raw.filter))
    const timeZone = (needsZone && (await deps.timeZone?.(tenant))) || 'UTC'
    const variables = { nowMs: deps.clock.now(), timeZone, userId: asker.userId, orgUnitIds: asker.orgUnitIds }
    return parseQuery(raw, { table, targets, mayRead: asker.mayRead }, variables, restrictions)
  }

  const page = (tenant: Tenant, table: Table, query: Query, paging: Paging, options?: ReadOptions): Promise<QueryPage> => readPage(deps, tenant, table, query, paging, options)

  /** How many records a query matches, and whether that is all of them. */
  async function count(tenant: Tenant, table: Table, query: Query, sequence?: Sequence): Promise<{ count: number; isExact: boolean }> {
    const { total, isTotalExact } = await readPage(deps, tenant, table, query, { offset: 0, limit: 1 }, { sequence })
    return { count: total, isExact: isTotalExact }
  }

  const aggregate = (tenant: Tenant, table: Table, query: Query & { readonly aggregate: NonNullable<Query['aggregate']> }, sequence?: Sequence): Promise<AggregateRow[]> =>
    aggregateRecords(deps, tenant, table, query, sequence)

  /** Every record of a list, in its order and in bounded memory: for exports and jobs, which may read a whole table. */
  const eachRow = (tenant: Tenant, table: Table, query: Query): AsyncGenerator<Row> => readEachRow(deps, tenant, table, query)

  return { parse, page, count, aggregate, eachRow }
}
