import { Invalid } from '../../kernel/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Sequence } from '../../store/sequence.ts'
import { readSequence } from '../../store/sequence.ts'
import { valueOfSlotKey } from '../../store/slots.ts'
import type { Table } from '../../tables/service.ts'
import type { Candidate } from '../access/key-space.ts'
import { openReader, type Reader } from '../access/reader.ts'
import { openRelated, type Related } from '../access/related.ts'
import type { Row } from '../access/row.ts'
import { indexRequired } from '../access/table-scan.ts'
import type { Query } from '../grammar/parse-query.ts'
import { resolveSteps } from '../grammar/resolve-steps.ts'
import { isWholeTable, type Total } from './count-matches.ts'
import { positionValues, readPosition, recordCursors, type CursorPosition } from './cursor.ts'
import { sortValues } from './order.ts'
import { openPlanContext, type QueryDependencies, type PlanContext } from './plan-context.ts'
import { planPage } from './plan-page.ts'

/** The start and the maximum length of a page. */
export interface Paging {
  readonly offset: number
  readonly limit: number
  /** Takes precedence over the offset. */
  readonly cursor?: string | null
  /** The page is addressed by number, so a shorter page than `limit` would shift the next ones. */
  readonly isNumbered?: boolean
}

export interface ReadOptions {
  /** The table's sequence row, if the caller has read it. */
  readonly sequence?: Sequence
  readonly wantsTotal?: boolean
  readonly isUnbounded?: boolean
}

/** One page of a list. */
export interface QueryPage {
  readonly rows: readonly Row[]
  /** How many rows of the list precede the page. */
  readonly offset: number
  readonly total: number
  readonly isTotalExact: boolean
  readonly nextCursor: string | null
  readonly related: Related
  /** The content of `meta.explain`. */
  explain(): Record<string, unknown>
}

/** Prepares the context in which a query over one table is planned. */
export async function preparePlan(
  deps: QueryDependencies,
  tenant: Tenant,
  table: Table,
  query: Pick<Query, 'filter' | 'search' | 'order'>,
  request: Pick<PlanContext, 'offset' | 'limit' | 'position' | 'wantsTotal' | 'isUnbounded'>,
  sequence?: Sequence,
): Promise<PlanContext> {
  const reader: Reader = openReader(deps.store, tenant, table.name)
  const related = openRelated(deps.store, tenant, reader)
  let known = sequence && Promise.resolve(sequence)
  return openPlanContext(
    deps,
    tenant,
    table,
    { ...query, ...request },
    {
      reader,
      related,
      planned: await resolveSteps(query.filter, reader, async (via, ids) => {
        const reading = related.findVisible(via, ids)
        if (via.visible) return (await reading).flatMap((row) => row?.id ?? [])
        // A failure is thrown where these records are used.
        reading.catch(() => undefined)
        return ids
      }),
      sequence: () => (known ??= reader.counted(1, () => readSequence(deps.store, tenant, table.name))),
    },
  )
}

/** Reads one page of a list. Throws Invalid for a cursor of another list, and when the query needs an index. */
export async function readPage(
  deps: QueryDependencies,
  tenant: Tenant,
  table: Table,
  query: Query,
  paging: Paging,
  options: ReadOptions = {},
): Promise<QueryPage> {
  const position = paging.cursor ? readPosition(paging.cursor, query.hash, query.order) : undefined
  const { limit } = paging
  const run = await preparePlan(
    deps,
    tenant,
    table,
    query,
    {
      offset: paging.offset,
      limit,
      position,
      wantsTotal: options.wantsTotal ?? true,
      isUnbounded: options.isUnbounded,
    },
    options.sequence,
  )
  const { fetched, total, plan } = await planPage(run)
  const { rows, from } = fetched
  if (fetched.isTooLarge && paging.isNumbered && !position) {
    throw new Invalid(
      {
        per_page: [
          `A page of ${limit} records is larger than 4 MB here; ${rows.length} fit. Use a cursor or a smaller per_page.`,
        ],
      },
      { code: 'page_too_large' },
    )
  }
  // A cursor has the last record checked: for a restricted viewer it could reveal one that the viewer may not see.
  if (fetched.gaveUp && (!position || query.isRestricted) && !run.isUnbounded && rows.length < limit)
    throw indexRequired(run)
  const offset = position?.seen ?? paging.offset
  const counted = total
    ? correctTotal(total, {
        offset,
        found: rows.length,
        hasMore: fetched.hasMore,
        isFiltered: !isWholeTable(run) && !position,
      })
    : { count: 0, isExact: false }
  const next = fetched.hasMore
    ? nextPosition(
        run,
        fetched.gaveUp ? undefined : rows.at(-1),
        (fetched.gaveUp ? fetched.lastChecked : from.at(-1)) as Candidate,
      )
    : undefined
  return {
    rows,
    offset,
    total: counted.count,
    isTotalExact: counted.isExact,
    nextCursor: next
      ? recordCursors.write(
          { ...next, seen: offset + rows.length, total: counted.count, isTotalExact: counted.isExact },
          query.hash,
        )
      : null,
    related: run.related,
    explain: () => ({
      plan,
      slots: [...run.reader.cost.spaces].filter((name) => name !== 'id'),
      keys_read: run.reader.cost.keysRead,
      records_read: run.reader.cost.recordsRead,
      calls: run.reader.cost.calls,
      round_trips: run.reader.cost.roundTrips,
    }),
  }
}

/**
 * Corrects the total of a filtered list by the page itself: a counter may lag behind the records, but the last page, or
 * one beyond the count, shows the truth.
 */
function correctTotal(
  total: Total,
  { offset, found, hasMore, isFiltered }: { offset: number; found: number; hasMore: boolean; isFiltered: boolean },
): Total {
  if (!isFiltered) return total
  const seen = offset + found
  if (hasMore) return total.isExact && total.count <= seen ? { ...total, count: seen + 1 } : total
  if (found > 0 || offset === 0) return { count: seen, isExact: true }
  return total.count > offset ? { ...total, count: offset } : total
}

/** The position after a record, by the key that found it: an index may lag behind the record. */
function nextPosition(
  run: PlanContext,
  row: Row | undefined,
  candidate: Candidate,
): Pick<CursorPosition, 'id' | 'values'> {
  const { order } = run
  const values = positionValues(order, candidate.values ?? (row ? sortValues(order, row) : []))
  if (candidate.sort !== '' && order.length > 1) values[0] = valueOfSlotKey(candidate.sort)
  return { id: candidate.id, values }
}
