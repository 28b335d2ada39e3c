import { Invalid } from '../../kernel/failures/faults.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Sequence } from '../../platform/store/sequence/sequence.ts'
import type { Table } from '../../tables/tables/table.ts'
import { asGridRefusal, type GridRequest, readGridRequest } from './ag-grid/grid-request.ts'
import type { EvaluationDependencies } from './evaluate/open-evaluation.ts'
import type { Query } from './grammar/parse-query.ts'
import { parseFor, type ParseOptions } from './parse-for.ts'
import { aggregate as aggregateRecords, type GroupPage } from './read/aggregate.ts'
import { countEach, countRecords } from './read/count-records.ts'
import { findReferences } from './read/find-references.ts'
import { type Paging, type QueryPage, readPage, recordAfter } from './read/read-page.ts'
import { openRelated, type Related } from './read/related.ts'
import { type FilterDependencies, targetsOf } from './row-filter.ts'
import type { QueryBody, RawQuery } from './schema.ts'

export type Queries = ReturnType<typeof createQueries>

/** The query language over records: lists, counts, groups and exports, all parsed and evaluated the same way. */
export function createQueries(services: EvaluationDependencies & FilterDependencies) {
  /** Parses a query of a viewer; see `parseFor`. */
  const parse = (viewer: Viewer, table: Table, raw: RawQuery, options?: ParseOptions): Promise<Query> =>
    parseFor(services, viewer, table, raw, options)

  /** Parses a request of AG Grid. Throws Invalid naming every path of it that is wrong. */
  async function parseGrid(
    viewer: Viewer,
    table: Table,
    { without, ...body }: QueryBody & Pick<RawQuery, 'without'>,
  ): Promise<{ readonly grid: GridRequest; readonly query: Query }> {
    const { tenant } = viewer
    // Only filters may name days, which begin in the tenant's time zone.
    const zone = body.filterModel ? await timeZone(tenant) : 'UTC'
    const targets = await targetsOf(services, tenant, table, [body.filterModel, body.rowGroupCols, body.valueCols])
    const asked = readGridRequest(body, table, targets, { nowMs: services.clock.now(), timeZone: zone })
    const grid = without?.length ? { ...asked, query: { ...asked.query, without } } : asked
    // A grid filters by values that it has read, which may be of options that were removed.
    const query = await parse(viewer, table, grid.query).catch((error: unknown) => {
      throw asGridRefusal(error, grid)
    })
    if (Object.keys(grid.errors).length > 0) throw new Invalid(grid.errors)
    return { grid, query }
  }

  /** One page of a list; `sequence` is the table's sequence row, if the caller has read it. Throws as `readPage` does. */
  const page = (tenant: Tenant, table: Table, query: Query, paging: Paging, sequence?: Sequence): Promise<QueryPage> =>
    readPage(services, tenant, table, query, paging, sequence)

  /** The id of the record that follows another one in a list. */
  const after = (tenant: Tenant, table: Table, query: Query, id: number): Promise<number | undefined> =>
    recordAfter(services, tenant, table, query, id)

  /** The number of records that a query matches. */
  const count = (tenant: Tenant, table: Table, query: Query): Promise<number> =>
    countRecords(services, tenant, table, query)

  /** How many records each of several queries of one table matches, all of one moment. */
  const counts = (tenant: Tenant, table: Table, asked: readonly Query[]): Promise<readonly number[]> =>
    countEach(services, tenant, table, asked)

  /** Some groups of an aggregation. */
  const aggregate = (
    tenant: Tenant,
    table: Table,
    query: Query & { readonly aggregate: NonNullable<Query['aggregate']> },
    paging: Pick<Paging, 'offset' | 'limit'>,
  ): Promise<GroupPage> => aggregateRecords(services, tenant, table, query, paging)

  /** The records of a table that refer to record `id` through a field, at most `limit`. */
  async function referencesTo(
    tenant: Tenant,
    table: Table,
    field: string,
    id: number,
    limit: number,
  ): Promise<number[]> {
    const definition = table.fieldsByName.get(field)
    return definition ? findReferences(services, tenant, table, definition, id, limit) : []
  }

  /** Reads the records that others refer to, each once. */
  const related = (tenant: Tenant): Related => openRelated(services.store, tenant)

  /** The time zone in which the tenant's days begin. */
  const timeZone = async (tenant: Tenant): Promise<string> => (await services.timeZone?.(tenant)) ?? 'UTC'

  return { parse, parseGrid, timeZone, page, after, count, counts, aggregate, referencesTo, related }
}
