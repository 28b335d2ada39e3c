import { Invalid } from '../../kernel/faults.ts'
import { idText } from '../../store/keys/key.ts'
import { valueOfSlotKey } from '../../store/slots.ts'
import type { SortKey } from '../plan/order.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import type { Source } from '../plan/sources.ts'
import {
  backwards,
  candidatesOf,
  keyAt,
  skip,
  scanById,
  scanByValue,
  continueScan,
  type IndexScan,
} from './index-scan.ts'
import { allKeys, includesMissing, isOneValue, type Bounds } from './key-bounds.ts'
import { lastId, spaceOf, type Candidate, type KeySpace } from './key-space.ts'
import { runsOf } from './sorted-runs.ts'
import { oneBatch } from './table-scan.ts'

/** Keys that an index already has in the order of the list ('straight'), or in runs that are sorted in memory. */
export type OrderedKeys =
  | { readonly kind: 'straight'; readonly scan: IndexScan; readonly order: readonly SortKey[] }
  | { readonly kind: 'runs'; readonly space: KeySpace; readonly bounds: readonly Bounds[] }

/**
 * For a list sorted by id the table's own keys; else the keys of the slot it is sorted by, if that misses no record.
 */
export function orderedKeys(run: PlanContext): OrderedKeys | undefined {
  const [first, second] = run.order as [SortKey, SortKey | undefined]
  const { index } = first.field
  if (!index) return undefined
  if (index.slot === undefined) {
    const { from, to } = run.sources.idRange
    const bounds = { from: idText(from), to: to > 999_999_999_999 ? lastId : `${idText(to)}~` }
    return { kind: 'straight', scan: scanById(run.reader.ids, bounds, first.descending), order: run.order }
  }
  const source = run.sources.sources.find(
    (one): one is Extract<Source, { kind: 'slot' }> => one.kind === 'slot' && one.field.path === first.field.path,
  )
  const bounds = source?.bounds ?? (index.coversMissing ? allKeys : undefined)
  if (!bounds || (!index.coversMissing && includesMissing(bounds))) return undefined
  const space = spaceOf(run.tenant, run.table.name, first.field)
  const isStraight = run.order.length === 2 && second?.descending === first.descending && !first.field.mayBeCut
  return isStraight
    ? { kind: 'straight', scan: scanByValue(space, bounds, first.descending), order: run.order }
    : { kind: 'runs', space, bounds }
}

/** The keys of one value, which are ordered by id, for a list sorted by id. */
export function keysOfOneValue(run: PlanContext, source: Extract<Source, { kind: 'slot' }>): OrderedKeys | undefined {
  const [first] = run.order
  const [only, ...others] = source.bounds
  if (first?.field.name !== 'id' || first.field.via || !only || others.length > 0 || !isOneValue(only)) return undefined
  return {
    kind: 'straight',
    scan: scanById(spaceOf(run.tenant, run.table.name, source.field), only, first.descending),
    order: run.order,
  }
}

/** Candidates from ordered keys, from the start of the page; the caller still leaves out the first `skip`. */
export async function candidatesFrom(
  run: PlanContext,
  keys: OrderedKeys,
  total: number | undefined,
  { keep, expected = 0 }: { readonly keep?: (id: number) => boolean; readonly expected?: number } = {},
): Promise<{ candidates: AsyncIterable<readonly Candidate[]>; skip: number }> {
  const { position, limit } = run
  const { shortSkip, maxRun } = run.limits
  const offset = position ? 0 : run.offset
  const first = Math.max(expected, Math.min(offset, shortSkip) + limit + 1)
  if (keys.kind === 'runs') {
    const load = async (ids: readonly number[]) => {
      const rows = await run.reader.rows(ids)
      return run.check(rows)
    }
    return {
      candidates: runsOf(run.reader, {
        ...keys,
        order: run.order,
        position,
        first,
        maxRun,
        keep: keep ?? (() => true),
        load,
      }),
      skip: offset,
    }
  }
  const isTable = keys.scan.space.index === undefined
  if (isTable && !position && !keep && offset > 0) return candidatesOfTable(run, keys.scan, offset, total)
  if (position)
    return {
      candidates: candidatesOf(
        run.reader,
        continueScan(keys.scan, keyOfPosition(keys.scan, position.id, position.values)),
        first,
      ),
      skip: 0,
    }
  if (offset <= shortSkip || keep) return { candidates: candidatesOf(run.reader, keys.scan, first), skip: offset }
  return candidatesAfterSkip(run, keys.scan, offset, total)
}

/** Records are too large to read and drop. If no id of the table is missing, the position of a record is its id. */
async function candidatesOfTable(
  run: PlanContext,
  scan: IndexScan,
  offset: number,
  total: number | undefined,
): ReturnType<typeof candidatesFrom> {
  const { last, live } = await run.sequence()
  const { idRange, sources, rest } = run.sources
  const isWhole = idRange.from === 1 && idRange.to >= last && sources.length === 0 && rest.length === 0
  if (!isWhole || last !== live) {
    const nearer = total === undefined ? offset : Math.min(offset, total - offset)
    if (nearer > run.limits.maxRead && !run.isUnbounded) throw tooDeep(run)
    return candidatesAfterSkip(run, scan, offset, total)
  }
  const before = idText(run.order[0]?.descending ? Math.max(1, last - offset + 1) : Math.min(offset, last))
  return {
    candidates: offset >= live ? oneBatch([]) : candidatesOf(run.reader, continueScan(scan, before), run.limit + 1),
    skip: 0,
  }
}

async function candidatesAfterSkip(
  run: PlanContext,
  scan: IndexScan,
  offset: number,
  total: number | undefined,
): ReturnType<typeof candidatesFrom> {
  const { limit } = run
  if (total !== undefined && offset > total / 2) return { candidates: fromTheEnd(run, scan, total), skip: 0 }
  return { candidates: candidatesOf(run.reader, await skip(run.reader, scan, offset), limit + 1), skip: 0 }
}

const tooDeep = ({ limits }: PlanContext): Invalid =>
  new Invalid(
    {
      page: [
        `More than ${limits.maxRead} records would have to be read to get there. Use a cursor, or sort by created_at.`,
      ],
    },
    { code: 'query_too_expensive' },
  )

/** The candidates of a page that is nearer to the end of the list, read from there. */
async function* fromTheEnd(run: PlanContext, scan: IndexScan, total: number): AsyncGenerator<readonly Candidate[]> {
  const behind = Math.max(0, total - run.offset - run.limit - 1)
  const wanted = Math.min(run.limit + 1, total - run.offset - behind)
  if (wanted <= 0) return
  const found: Candidate[] = []
  for await (const batch of candidatesOf(run.reader, await skip(run.reader, backwards(scan), behind), wanted)) {
    found.push(...batch.slice(0, wanted - found.length))
    if (found.length >= wanted) break
  }
  yield found.reverse()
}

/** The key of the last record before a cursor. */
function keyOfPosition({ space, ranges }: IndexScan, id: number, values: readonly string[]): string {
  if (space.index === undefined) return idText(id)
  const value = values[0] ?? valueOfSlotKey(`${ranges[0]?.bounds.from ?? ''}${idText(id)}`)
  return keyAt(value, id)
}
