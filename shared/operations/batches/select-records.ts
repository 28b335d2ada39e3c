import { Conflict, Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { maxBulkRecords } from '../../kernel/limits/imports.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { QueryPage } from '../../lists/query/read/read-page.ts'
import type { RawQuery } from '../../lists/query/schema.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { BatchDependencies } from './dependencies.ts'
import type { BulkBody } from './schema.ts'

/** Ids per read of a list. */
const idsPerRead = 1000
/** Lists know what was written so long ago. */
const indexLagMs = 2_000

type Selection = Pick<BulkBody, 'ids' | 'filter' | 'view' | 'expect' | 'dry_run'>

type Dependencies = Pick<BatchDependencies, 'queries' | 'queryOfView' | 'clock'>

/**
 * The ids that a bulk change is about, rising: those it names, or those that match and the caller may read. Before it looks
 * for those, it waits until the index tells of all that was answered before; a dry run, which decides nothing, does not.
 * Throws Invalid, Forbidden, and Conflict when not so many match as it expects.
 */
export async function selectRecords(
  services: Dependencies,
  caller: Caller,
  table: Table,
  { ids, filter, view, expect, dry_run: isDryRun }: Selection,
): Promise<readonly number[]> {
  const given = Object.entries({ ids, filter, view }).filter(([, value]) => value !== undefined)
  if (given.length !== 1)
    throw new Invalid({
      [given[1]?.[0] ?? 'ids']: ['Send one of ids, filter and view: which records it is about.'],
    })
  const raw = view ? await services.queryOfView(caller, table.name, view) : { filter }
  const found = ids ? [...new Set(ids)] : await idsOf(services, caller, table, raw, isDryRun ? 0 : indexLagMs)
  if (expect !== undefined && found.length !== expect)
    throw new Conflict(
      'count_differs',
      `${found.length} records match, and ${expect} were expected. Nothing was changed.`,
      { details: { matched: found.length } },
    )
  return found.sort((a, b) => a - b)
}

async function idsOf(
  { queries, clock }: Pick<Dependencies, 'queries' | 'clock'>,
  caller: Caller,
  table: Table,
  raw: RawQuery,
  waitMs: number,
): Promise<number[]> {
  if (!mayOnTable(caller, table.name, 'read'))
    throw new Forbidden(
      'forbidden',
      `You need the permission ${table.name}.read to choose records by a filter. Name their ids.`,
    )
  const query = await queries.parse(caller, table, { ...raw, fields: ['id'], sort: ['id'] }, { checksSlugs: true })
  if (waitMs > 0) await clock.sleep(waitMs)
  const found = new Set<number>()
  let cursor: string | null = null
  do {
    const page: QueryPage = await queries.page(caller.tenant, table, query, { offset: 0, limit: idsPerRead, cursor })
    for (const { id } of page.rows) found.add(id)
    if (Math.max(page.total, found.size) > maxBulkRecords)
      throw new Invalid({
        filter: [`${page.total} records match, and a bulk change takes at most ${maxBulkRecords}. Narrow the filter.`],
      })
    cursor = page.nextCursor
  } while (cursor !== null)
  return [...found]
}
