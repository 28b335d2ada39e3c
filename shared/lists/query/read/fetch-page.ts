import { maxPageBytes } from '../../../kernel/limits/requests.ts'
import { addSizes, isTooLarge, noSize } from '../../../platform/http/routing/answer-size.ts'
import { lengthOf, sizeOf, type Row } from './row.ts'

/** How many records are read at first, before their average size is known. */
const cautious = 150
/** Memory for the records of one page, in characters. */
const maxLength = 2 * maxPageBytes

export interface FetchedPage {
  readonly rows: readonly Row[]
  /** The ids of records that did not belong to the list any more. */
  readonly dropped: ReadonlySet<number>
  readonly hasMore: boolean
  /** The page ended early because one answer cannot hold more. */
  readonly isTooLarge: boolean
}

/** What a page is read from. */
export interface PageSource {
  /** How many records the list has from the start of the page on. */
  readonly count: number
  /** The ids of the list at these ranks, counted from the start of the page; fewer when the list has become shorter. */
  range(from: number, to: number): readonly number[] | Promise<readonly number[]>
  /** Reads records and answers undefined in place of those that do not belong to the list. */
  read(ids: readonly number[]): Promise<readonly (Row | undefined)[]>
}

/** Reads the records of a list in order until the page is full; what has changed meanwhile is made up for. */
export async function fetchPage(source: PageSource, limit: number): Promise<FetchedPage> {
  const rows: Row[] = []
  const dropped = new Set<number>()
  let [next, length, measured] = [0, 0, 0]
  let size = noSize
  while (rows.length < limit && next < source.count) {
    const average = rows.length === 0 ? maxLength / cautious : length / rows.length
    const affordable = Math.max(1, Math.ceil((maxLength - length) / average))
    const ids = await source.range(next, next + Math.min(limit - rows.length, affordable))
    // Records that were counted are gone meanwhile.
    if (ids.length === 0) return { rows, dropped, hasMore: false, isTooLarge: false }
    const read = await source.read(ids)
    next += ids.length
    for (const [index, row] of read.entries()) {
      if (!row) {
        dropped.add(ids[index] as number)
        continue
      }
      length += lengthOf(row)
      // A character takes at most three bytes, so most pages need no exact measuring.
      if (3 * length > maxPageBytes) {
        for (const unmeasured of [...rows.slice(measured), row]) size = addSizes(size, sizeOf(unmeasured))
        measured = rows.length + 1
        if (isTooLarge(size) && rows.length > 0) return { rows, dropped, hasMore: true, isTooLarge: true }
      }
      rows.push(row)
    }
  }
  return { rows, dropped, hasMore: next < source.count, isTooLarge: false }
}
