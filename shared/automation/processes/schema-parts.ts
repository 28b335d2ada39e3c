import * as z from 'zod'
import { maxNameCharacters } from '../../kernel/limits/requests.ts'
import { parseDatetime } from '../../kernel/time/parse-date.ts'

export const Id = z.int().positive()

export const RecordId = Id.nullable().meta({
  description: 'Null: a timer or a signal started the process, which is about no record.',
})

export const Moment = z.string().meta({ format: 'date-time' })
export const Person = z.object({ id: Id, name: z.string() })

/** A point in time that a client sends, converted to UTC. */
export const GivenMoment = z
  .string()
  .transform((text, context) => {
    const moment = parseDatetime(text)
    if (moment === undefined) context.addIssue({ code: 'invalid_format', format: 'datetime', input: text })
    return moment ?? ''
  })
  .meta({ description: 'ISO 8601; without an offset UTC.', type: 'string' })

export const Model = z.string().max(maxNameCharacters).meta({ description: 'Name of the table.' })
