import { addSizes, isTooLarge, maxPageBytes, noSize } from '../../http/routing/answer-size.ts'
import type { Candidate } from '../access/key-space.ts'
import { lengthOf, sizeOf, type Row } from '../access/row.ts'
import type { PlanContext } from './plan-context.ts'

/** How many records are read at first, before their average size is known. */
const cautious = 150

export interface FetchedPage {
  readonly rows: readonly Row[]
  /** The candidate each row came from. */
  readonly from: readonly Candidate[]
  readonly hasMore: boolean
  /** The page ended early because one answer cannot hold more. */
  readonly isTooLarge: boolean
  /** The limit of candidates was reached before the page was full. */
  readonly gaveUp: boolean
  readonly lastChecked: Candidate | undefined
}

export interface FetchOptions {
  readonly skip: number
  /** Every candidate belongs to the list, except where an index lags. */
  readonly isExact: boolean
  /** The most records to check before giving up. */
  readonly most?: number
  /** How many candidates the page probably needs; called after the first ones were requested. */
  readonly expected?: () => number
}

/** Reads the records of candidates in order and keeps those that belong to the list, until the page is full. */
export async function fetchPage(
  run: PlanContext,
  candidates: AsyncIterable<readonly Candidate[]>,
  { skip, isExact, most = Infinity, expected = () => 0 }: FetchOptions,
): Promise<FetchedPage> {
  const pull = puller(candidates, skip)
  const rows: Row[] = []
  const from: Candidate[] = []
  const ended = (more: Partial<FetchedPage> = {}): FetchedPage => ({
    rows,
    from,
    hasMore: false,
    isTooLarge: false,
    gaveUp: false,
    lastChecked,
    ...more,
  })
  let length = 0
  let size = noSize
  let measured = 0
  let checkedCount = 0
  let lastChecked: Candidate | undefined
  while (rows.length < run.limit || !isExact) {
    const missing = run.limit - rows.length + (isExact ? 0 : 1)
    const average = rows.length === 0 ? (2 * maxPageBytes) / cautious : length / rows.length
    const affordable = Math.max(1, Math.ceil((2 * maxPageBytes - length) / average))
    // Where few candidates belong to the list, more are read at once.
    const hopeful = isExact
      ? missing
      : Math.min(1000, Math.ceil(missing * Math.min(20, (checkedCount + 1) / (rows.length + 1))))
    const isFirst = checkedCount === 0
    const batch = await pull(() => Math.max(1, Math.min(Math.max(hopeful, isFirst ? expected() : 0), affordable)))
    if (batch.length === 0) return ended()
    checkedCount += batch.length
    lastChecked = batch.at(-1)
    const checked = await run.check(await load(run, batch))
    for (const [index, row] of checked.entries()) {
      if (!row) continue
      if (rows.length === run.limit) return ended({ hasMore: true })
      length += lengthOf(row)
      // A character takes at most three bytes, so most pages need no exact measuring.
      if (3 * length > maxPageBytes) {
        for (const unmeasured of [...rows.slice(measured), row]) size = addSizes(size, sizeOf(unmeasured))
        measured = rows.length + 1
        if (isTooLarge(size) && rows.length > 0) return ended({ hasMore: true, isTooLarge: true })
      }
      rows.push(row)
      from.push(batch[index] as Candidate)
    }
    if (checkedCount >= most && rows.length < run.limit) return ended({ hasMore: true, gaveUp: true })
  }
  return ended({ hasMore: (await pull(() => 1)).length > 0 })
}

async function load(run: PlanContext, batch: readonly Candidate[]): Promise<readonly (Row | undefined)[]> {
  const missing = batch.flatMap(({ id, row }) => (row ? [] : [id]))
  if (missing.length === 0) return batch.map(({ row }) => row)
  const found = await run.reader.rows(missing)
  const byId = new Map(missing.map((id, index) => [id, found[index]]))
  return batch.map(({ id, row }) => row ?? byId.get(id))
}

/** Takes candidates from their batches, each record once: an index that lags may have a record twice. */
function puller(candidates: AsyncIterable<readonly Candidate[]>, skip: number) {
  const source = candidates[Symbol.asyncIterator]()
  const seen = new Set<number>()
  let waiting: Candidate[] = []
  let toSkip = skip
  return async (wanted: () => number): Promise<readonly Candidate[]> => {
    while (waiting.length < wanted()) {
      const next = await source.next()
      if (next.done) break
      const fresh = next.value.filter(({ id }) => !seen.has(id) && seen.add(id))
      waiting = waiting.concat(toSkip > 0 ? fresh.slice(toSkip) : fresh)
      toSkip -= Math.min(toSkip, fresh.length)
    }
    const taken = waiting.slice(0, wanted())
    waiting = waiting.slice(taken.length)
    return taken
  }
}
