import * as z from 'zod'
import { maxListedPerPage, maxPageCursorCharacters, maxPerPage } from '../../../kernel/limits/requests.ts'
import { rowSearch, rowSort, searchIn, sortBy } from './list-order.ts'
import { scalarMembers } from './scalar-members.ts'

export const defaultPerPage = 25

const wholeNumber = (name: string): z.ZodType<number | undefined> =>
  z.preprocess(
    (value) => {
      if (value === undefined || value === null || value === '') return undefined
      if (typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value.trim())) return Number(value)
      return value
    },
    z.int({ error: `The ${name} must be an integer.` }).optional(),
  )

const pageNumbers = (whenUnset: number, atMost: number) => ({
  page: wholeNumber('page')
    .transform((page) => Math.max(1, page ?? 1))
    .meta({ description: 'Number of the page, from 1.', type: 'integer' }),
  per_page: wholeNumber('per_page')
    .transform((perPage) => Math.min(atMost, Math.max(1, perPage ?? whenUnset)))
    .meta({ description: `Rows per page, 1 to ${atMost}; more counts as ${atMost}.`, type: 'integer' }),
})

const cursor = z
  .string()
  .max(maxPageCursorCharacters)
  .nullish()
  .meta({ description: '`meta.next_cursor` of the previous page; overrides `page`.' })

/**
 * The query of a list of records and of what happens to them: `page` (at least 1), `per_page` (clamped to 1..1000) and
 * `cursor`, which overrides `page`. Anything but an integer is 422.
 */
export const PageQuery = z.object({ ...pageNumbers(defaultPerPage, maxPerPage), cursor })
export type PageQuery = z.output<typeof PageQuery>

/** What a list in memory is asked for; see `listQuery`. */
export type ListQuery = PageQuery & Partial<Pick<z.output<ReturnType<typeof listQuery>>, 'sort' | 'search'>>

/**
 * The query of a list of objects with this answer: paging (25 unless given, at most 100), `sort` by every member of one
 * value, and `search` in every text.
 */
export const listQuery = (answer: z.ZodType) =>
  z.object({ ...pageNumbers(defaultPerPage, maxListedPerPage), cursor, ...orderOf(answer) })

/** The same for a list that is answered as a whole unless `per_page` is given: "all tables" of the specification. */
export const wholeListQuery = (answer: z.ZodType) =>
  z.object({ ...pageNumbers(maxPerPage, maxPerPage), cursor, ...orderOf(answer) })

function orderOf(answer: z.ZodType) {
  const { all, texts } = scalarMembers(answer)
  return { sort: sortBy(all), search: searchIn(texts) }
}

/** The query of a list of rows that is read by id: `sort` knows the id alone. `searched`: what `search` looks into. */
export const rowListQuery = (searched: string) => PageQuery.extend({ sort: rowSort, search: rowSearch(searched) })
export type RowListQuery = z.output<ReturnType<typeof rowListQuery>>

/** An optional id in the query string. Anything but a positive integer is 422. */
export const queryId = (name: string, description: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: `The ${name} must be an integer.` })
    .transform(Number)
    .optional()
    .meta({ description, type: 'integer' })
