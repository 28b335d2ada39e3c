import * as z from 'zod'
import { maxPageCursorCharacters, maxPerPage } from '../../../kernel/limits/requests.ts'

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

const pageNumbers = (perPageWhenUnset: number) => ({
  page: wholeNumber('page')
    .transform((page) => Math.max(1, page ?? 1))
    .meta({ description: 'Number of the page, from 1.', type: 'integer' }),
  per_page: wholeNumber('per_page')
    .transform((perPage) => Math.min(maxPerPage, Math.max(1, perPage ?? perPageWhenUnset)))
    .meta({ description: `Rows per page, 1 to ${maxPerPage}.`, type: 'integer' }),
})

const cursor = z
  .string()
  .max(maxPageCursorCharacters)
  .nullish()
  .meta({ description: '`meta.next_cursor` of the previous page; overrides `page`.' })

/**
 * `page` (at least 1), `per_page` (clamped to 1..1000) and `cursor`, which overrides `page`. Anything but an integer is
 * 422.
 */
export const PageQuery = z.object({ ...pageNumbers(defaultPerPage), cursor })
export type PageQuery = z.output<typeof PageQuery>

/** The query of lists that are answered as a whole unless `per_page` is given: all tables, all relations of a table. */
export const WholeListQuery = z.object({ ...pageNumbers(maxPerPage), cursor })

/** An optional id in the query string. Anything but a positive integer is 422. */
export const queryId = (name: string, description: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: `The ${name} must be an integer.` })
    .transform(Number)
    .optional()
    .meta({ description, type: 'integer' })
