import * as z from 'zod'

/** The path parameter `{id}`: a positive integer. Anything else is 404. */
export const IdParam = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, { error: 'An id is a positive integer.' })
  .transform(Number)
  .refine(Number.isSafeInteger)
  .meta({ description: 'A positive integer.', type: 'integer', minimum: 1 })

/** The id of an object, described for the API reference. `what`: its name for people. */
export const idOf = (what: string): typeof IdParam => IdParam.meta({ description: `Id of the ${what}.` })

/** `{model}`: the table that a route is about. */
export const TableParams = z.object({ model: z.string().meta({ description: 'Name of the table.' }) })

/** `{model}` and `{id}`: the record that a route is about. */
export const RecordParams = TableParams.extend({ id: idOf('record') })
