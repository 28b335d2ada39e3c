import * as z from 'zod'

export const defaultPerPage = 25
export const maxPerPage = 1000

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
    .meta({ description: 'Page number, from 1.', type: 'integer' }),
  per_page: wholeNumber('per_page')
    .transform((perPage) => Math.min(maxPerPage, Math.max(1, perPage ?? perPageWhenUnset)))
    .meta({ description: `Rows per page, 1 to ${maxPerPage}.`, type: 'integer' }),
})

const cursor = z
  .string()
  .max(2000)
  .nullish()
  .meta({ description: '`meta.next_cursor` of the page before; wins over `page`.' })

/** `page` from 1 and `per_page` clamped to 1..1000; a cursor wins over `page`. Not an integer: 422. */
export const PageQuery = z.object({ ...pageNumbers(defaultPerPage), cursor })
export type PageQuery = z.output<typeof PageQuery>

/** For lists that the specification wants whole (all tables, all relations of one): everything unless a page is asked for. */
export const WholeListQuery = z.object({ ...pageNumbers(maxPerPage), cursor })

/** Path parameter `{id}`: a positive integer; anything else is 404. */
export const IdParam = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger)
  .meta({ description: 'A positive integer.', type: 'integer', minimum: 1 })

/** An id among the query parameters; anything that cannot be one is 422. */
export const queryId = (name: string, description: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: `The ${name} must be an integer.` })
    .transform(Number)
    .optional()
    .meta({ description, type: 'integer' })
