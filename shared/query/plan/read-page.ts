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

/** Where a page begins and how long it may be. */
export interface Paging {
  readonly offset: number
  readonly limit: number
  /** Wins over the offset. */
  readonly cursor?: string | null
  /** The page goes by number: it holds as many records as it says, or none. */
  readonly isNumbered?: boolean
}

export interface ReadOptions {
  /** The table's sequence row, where the caller has it. */
  readonly sequence?: Sequence
  readonly wantsTotal?: boolean
  readonly isUnbounded?: boolean
}

/** One page of a list. */
export interface QueryPage {
  readonly rows: readonly Row[]
  /** How many rows stand before the first. */
  readonly offset: number
  readonly total: number
  readonly isTotalExact: boolean
  readonly nextCursor: string | null
  readonly related: Related
  /** Written when asked: what `explain` shows. */
  explain(): Record<string, unknown>
}

/** Everything that is needed to plan one query over one table. */
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
        const reading = related.findSeen(via, ids)
        if (via.seen) return (await reading).flatMap((row) => row?.id ?? [])
        // Should it fail, whoever asks for these records hears of it.
        reading.catch(() => undefined)
        return ids
      }),
      sequence: () => (known ??= reader.counted(1, () => readSequence(deps.store, tenant, table.name))),
    },
  )
}

/** Reads one page of the list that a query describes. Throws Invalid for a cursor of another list, and where no index helps. */
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
  const { taken, total, plan } = await planPage(run)
  const { rows, from } = taken
  if (taken.isTooLarge && paging.isNumbered && !position) {
    throw new Invalid(
      {
        per_page: [
          `A page of ${limit} records is larger than 4 MB here; ${rows.length} fit. Use a cursor or a smaller per_page.`,
        ],
      },
      { code: 'page_too_large' },
    )
  }
  // A cursor names the last record that was read: were that one the viewer may not see, it would tell of it.
  if (taken.gaveUp && (!position || query.isRestricted) && !run.isUnbounded && rows.length < limit)
    throw indexRequired(run)
  const offset = position?.seen ?? paging.offset
  const counted = total
    ? agreeing(total, {
        offset,
        found: rows.length,
        hasMore: taken.hasMore,
        isFiltered: !isWholeTable(run) && !position,
      })
    : { count: 0, isExact: false }
  const next = taken.hasMore
    ? nextPosition(
        run,
        taken.gaveUp ? undefined : rows.at(-1),
        (taken.gaveUp ? taken.lastLooked : from.at(-1)) as Candidate,
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
 * The total of a filtered list, set right by the page itself: a counter may lag behind the records, and a page that ends the
 * list, or goes beyond what was counted, knows better.
 */
function agreeing(
  total: Total,
  { offset, found, hasMore, isFiltered }: { offset: number; found: number; hasMore: boolean; isFiltered: boolean },
): Total {
  if (!isFiltered) return total
  const seen = offset + found
  if (hasMore) return total.isExact && total.count <= seen ? { ...total, count: seen + 1 } : total
  if (found > 0 || offset === 0) return { count: seen, isExact: true }
  return total.count > offset ? { ...total, count: offset } : total
}

/** The position after a record, as the keys it was found by have it: an index may lag behind the record. */
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
