import type { Tenant } from '../../kernel/tenancy.ts'
import type { Table } from '../../tables/service.ts'
import { everyEntry } from '../access/every-entry.ts'
import { keysOfOneValue, orderedKeys } from '../access/ordered-keys.ts'
import type { Row } from '../access/row.ts'
import type { Query } from '../grammar/parse-query.ts'
import { exactSlot, isWholeTable } from './count-matches.ts'
import type { QueryDependencies, PlanContext } from './plan-context.ts'
import { preparePlan, readPage, type QueryPage } from './read-page.ts'

const recordsAtOnce = 500

/**
 * Every record of a list in order and in bounded memory, each read once: page by page if an index has the order, else
 * from sorted ids. Reads any number of records: for jobs, never for a request.
 */
export async function* eachRow(
  deps: QueryDependencies,
  tenant: Tenant,
  table: Table,
  query: Query,
): AsyncGenerator<Row> {
  const run = await preparePlan(deps, tenant, table, query, {
    offset: 0,
    limit: recordsAtOnce,
    wantsTotal: false,
    isUnbounded: true,
  })
  if (isScannable(run)) yield* scanned(deps, run, query)
  else yield* sorted(run)
}

function isScannable(run: PlanContext): boolean {
  const ordered = orderedKeys(run)
  const slot = exactSlot(run)
  const isInOrder =
    slot !== undefined && (keysOfOneValue(run, slot) !== undefined || slot.field.path === run.order[0]?.field.path)
  return (
    run.sources.isEmpty ||
    (ordered !== undefined && (isWholeTable(run) || run.sources.sources.length === 0 || isInOrder)) ||
    (slot !== undefined && keysOfOneValue(run, slot) !== undefined)
  )
}

async function* scanned(deps: QueryDependencies, { tenant, table }: PlanContext, query: Query): AsyncGenerator<Row> {
  let cursor: string | null = null
  do {
    const page: QueryPage = await readPage(
      deps,
      tenant,
      table,
      query,
      { offset: 0, limit: recordsAtOnce, cursor },
      { wantsTotal: false, isUnbounded: true },
    )
    yield* page.rows
    cursor = page.nextCursor
  } while (cursor !== null)
}

async function* sorted(run: PlanContext): AsyncGenerator<Row> {
  const entries = await everyEntry(run)
  for (let start = 0; start < entries.length; start += recordsAtOnce) {
    const some = entries.slice(start, start + recordsAtOnce)
    const rows = await run.check(await run.reader.rows(some.map(({ id }) => id)))
    yield* rows.filter((row) => row !== undefined)
  }
}
