import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxPageBytes } from '../../../kernel/limits/requests.ts'
import { addSizes, type AnswerSize, isTooLarge, noSize, sizeOfText } from '../routing/answer-size.ts'
import type { PageQuery } from './page-query.ts'

/** Rows read at first; how many next depends on their size. */
const firstStep = 25
/** Most rows read at once: with rows of 400 KB they take 40 MB. */
const maxStep = 100

/** Says that a page by number is too large, and how many rows fit. `what`: the rows in the plural. */
export const pageTooLarge = (perPage: number, fit: number, what = 'records'): Invalid =>
  new Invalid(
    {
      per_page: [
        `A page of ${perPage} ${what} is larger than 4 MB here; ${fit} fit. Use a cursor or a smaller per_page.`,
      ],
    },
    { code: 'page_too_large' },
  )

/** Says that a page by number lies behind the rows that one request reads. */
export const pageTooDeep = (reachable: number, what = 'records', which: 'newest' | 'oldest' = 'newest'): Invalid =>
  new Invalid(
    { page: [`Only the ${which} ${reachable} ${what} are reached by page. Use a cursor, or filter the list.`] },
    { code: 'query_too_expensive' },
  )

/**
 * The rows of one answer. `add` answers false for a row that does not fit, after which a page by cursor ends; throws
 * page_too_large when the page has a number. `what`: the rows in the plural.
 */
export function openPage<T>({ per_page, cursor }: Pick<PageQuery, 'per_page' | 'cursor'>, what?: string) {
  const items: T[] = []
  let size: AnswerSize = noSize
  return {
    items,
    get bytes(): number {
      return size.bytes
    },
    add(row: T): boolean {
      size = addSizes(size, sizeOfText(JSON.stringify(row)))
      if (!isTooLarge(size) || items.length === 0) return items.push(row) > 0
      if (!cursor) throw pageTooLarge(per_page, items.length, what)
      return false
    },
  }
}

/** What one answer takes of a page. */
interface Fitting<T> {
  readonly items: readonly T[]
  /** How many of the keys were used up: behind them the next page begins. */
  readonly taken: number
}

/**
 * Reads the rows of a page in steps until they fill one answer, so that large rows cost the memory of an answer and a
 * step. `readSome` answers one row for each key, undefined where there is none; or for the first keys only, at least one. For
 * the rest see `openPage`.
 */
export async function readFitting<K, T>(
  keys: readonly K[],
  readSome: (some: readonly K[]) => Promise<readonly (T | undefined)[]>,
  query: Pick<PageQuery, 'per_page' | 'cursor'>,
  what?: string,
): Promise<Fitting<T>> {
  const page = openPage<T>(query, what)
  let taken = 0
  for (let step = firstStep; taken < keys.length; step = nextStep(page.bytes, taken)) {
    for (const row of await readSome(keys.slice(taken, taken + step))) {
      if (row !== undefined && !page.add(row)) return { items: page.items, taken }
      taken += 1
    }
  }
  return { items: page.items, taken }
}

/** As many rows as will fill the answer, by the size of those read so far, and one to see that it is full. */
const nextStep = (bytes: number, taken: number): number =>
  Math.min(maxStep, Math.max(1, Math.ceil(((maxPageBytes - bytes) * taken) / Math.max(1, bytes)) + 1))
