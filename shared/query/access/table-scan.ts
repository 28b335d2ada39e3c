import { Invalid, type FieldErrors } from '../../kernel/faults.ts'
import { idText } from '../../store/keys/key.ts'
import { after } from '../plan/cursor.ts'
import { compareSortValues, sortValues, type SortValue } from '../plan/order.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import { fieldsWithoutIndex } from '../plan/sources.ts'
import { candidatesOf, scanById } from './index-scan.ts'
import type { Candidate } from './key-space.ts'
import { lengthOf, type Row } from './row.ts'

/** Up to this size matches are kept in memory, so that a page need not read its records again. */
const keptBytes = 16 * 1024 * 1024
const recordsAtOnce = 1000
const segments = 8

/** A record of the list with its sort values. */
export interface Entry extends Candidate {
  readonly values: readonly SortValue[]
}

/** The records of the list among batches of rows, sorted in memory. */
export async function sortedEntries(
  run: PlanContext,
  sources: readonly AsyncIterable<readonly (Row | undefined)[]>[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  let bytes = 0
  await Promise.all(
    sources.map(async (batches) => {
      for await (const batch of batches) {
        for (const row of await run.check(batch)) {
          if (!row) continue
          bytes += lengthOf(row)
          entries.push({ id: row.id, sort: '', values: sortValues(run.order, row), ...(bytes <= keptBytes && { row }) })
        }
      }
    }),
  )
  return entries.sort((a, b) => compareSortValues(run.order, a.values, b.values))
}

/** The records with these ids, in batches. */
export async function* rowsOf(run: PlanContext, ids: Iterable<number>): AsyncGenerator<readonly (Row | undefined)[]> {
  const all = [...ids]
  for (let start = 0; start < all.length; start += recordsAtOnce)
    yield run.reader.rows(all.slice(start, start + recordsAtOnce))
}

/** The records with ids between `from` and `to`, both included. */
export async function* scanSegment(
  run: PlanContext,
  from: number,
  to: number,
): AsyncGenerator<readonly (Row | undefined)[]> {
  const scan = scanById(run.reader.ids, { from: idText(from), to: `${idText(to)}~` }, false)
  for await (const batch of candidatesOf(run.reader, scan, recordsAtOnce)) yield batch.map(({ row }) => row)
}

/**
 * Every record of the list by a table scan in parallel segments. Throws Invalid when the table is too large for that.
 */
export async function scanTable(run: PlanContext): Promise<readonly Entry[]> {
  const { last, live } = await run.sequence()
  const { idRange } = run.sources
  const [from, to] = [idRange.from, Math.max(idRange.from, Math.min(last, idRange.to))]
  if (!run.isUnbounded && Math.min(live, to - from + 1) > run.limits.maxRead) throw indexRequired(run)
  const count = Math.min(segments, Math.max(1, Math.ceil((to - from + 1) / recordsAtOnce)))
  const width = Math.ceil((to - from + 1) / count)
  return sortedEntries(
    run,
    Array.from({ length: count }, (_, segment) => {
      const start = from + segment * width
      return scanSegment(run, start, segment === count - 1 ? Math.max(to, start) : start + width - 1)
    }),
  )
}

/** The sorted entries after the cursor. */
export function entriesAfter(run: PlanContext, entries: readonly Entry[]): AsyncIterable<readonly Candidate[]> {
  return oneBatch(after(entries, run.position, run.order))
}

export async function* oneBatch(candidates: readonly Candidate[]): AsyncGenerator<readonly Candidate[]> {
  yield candidates
}

const tooExpensive = (errors: FieldErrors): Invalid => new Invalid(errors, { code: 'query_too_expensive' })

/** The error that names what to index: the first field of the filter without an index, else the sorted one. */
export function indexRequired(run: Pick<PlanContext, 'sources' | 'order' | 'search' | 'limits'>): Invalid {
  const filtered = fieldsWithoutIndex(run.sources.rest)[0]
  const why = `More than ${run.limits.maxRead} records would have to be read.`
  if (run.search && !filtered) return tooExpensive({ search: [`${why} Filter the list by an indexed field.`] })
  if (filtered) {
    const { via, path } = filtered
    const advice =
      via || filtered.isStandard
        ? `Filter by an indexed field as well.`
        : filtered.index
          ? 'Filter by an indexed field as well.'
          : `Index the field ${path}, or filter by an indexed field as well.`
    return tooExpensive({ [`filter.${path}`]: [`${why} ${advice}`] })
  }
  const sorted = run.order[0]?.field
  return tooExpensive({
    sort: [
      `${why} ${sorted?.isStandard || sorted?.via ? 'Sort by an indexed field, or filter the list' : `Index the field ${sorted?.path}, or filter the list`}.`,
    ],
  })
}
