import * as z from 'zod'
import { byName } from '../../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../../kernel/failures/faults.ts'
import { type Problem, say } from '../../../../kernel/failures/sentence.ts'
import { type nearestWord, openSuggestions } from '../../../../kernel/text/did-you-mean.ts'

/** The schema inside of wrappers such as `optional`. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  const inner =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
      ? schema.unwrap()
      : schema instanceof z.ZodPipe
        ? schema.in
        : undefined
  return inner === undefined ? schema : unwrapped(inner as z.ZodType)
}

/** The names that the schema of an object knows; undefined when it takes any, or refuses unknown ones itself. */
function knownNames(schema: z.ZodType): readonly string[] | undefined {
  const object = unwrapped(schema)
  return object instanceof z.ZodObject && object.def.catchall === undefined ? Object.keys(object.shape) : undefined
}

/**
 * Throws Invalid for parameters of the query that the route does not know, with the nearest one that it knows. `schema`:
 * that of the query; undefined when there are no parameters.
 */
export function refuseUnknownParameters(
  schema: z.ZodType | undefined,
  query: Readonly<Record<string, string | undefined>>,
): void {
  const known = schema === undefined ? [] : knownNames(schema)
  const nearest = openSuggestions()
  if (known !== undefined) refuse(query, known, (name, value) => parameterMessage(name, value, known, nearest))
}

/** Throws Invalid for members of a body that the route does not know. A route without a body takes an empty object. */
export function refuseUnknownMembers(schema: z.ZodType | undefined, body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    if (schema === undefined && body !== undefined && body !== null)
      throw new Invalid({ body: ['This address takes no body.'] })
    return
  }
  const known = schema === undefined ? [] : knownNames(schema)
  const nearest = openSuggestions()
  if (known !== undefined)
    refuse(body, known, (name) =>
      known.length === 0
        ? 'This address takes no body.'
        : say('unknown_member', { field: name, ...suggestion(name, known, nearest) }),
    )
}

function refuse(given: object, known: readonly string[], problemOf: (name: string, value: unknown) => Problem): void {
  const errors: FieldErrors = byName()
  for (const [name, value] of Object.entries(given)) {
    if (known.includes(name) || value === undefined) continue
    const shown = name.slice(0, 100).toWellFormed()
    errors[shown] = [problemOf(shown, value)]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** How lists elsewhere, and ours, are paged: no names of fields. */
const ofPages = /^(offset|skip|start|limit|page|per_page|page_?size|size|take|first|cursor)$/i

/** Lists filter by `filter` alone: whoever comes from another API tries `status=new`, `filter[status]=new`, `limit=10`. */
function parameterMessage(name: string, value: unknown, known: readonly string[], nearest: typeof nearestWord): string {
  const unknown = `The ${name} parameter is unknown.`
  if (known.length === 0) return `${unknown} This address has no parameters.`
  if (/^(limit|page_?size|size|take|first)$/i.test(name) && known.includes('per_page'))
    return `${unknown} Did you mean per_page?`
  const near = nearest(name, known)
  if (near !== undefined) return `${unknown} Did you mean ${near}?`
  const field = /^(?:filter\[)?([a-z][\w.]*)\]?$/i.exec(name)?.[1]
  if (field !== undefined && known.includes('filter') && !ofPages.test(field))
    return `${unknown} Did you mean filter=${JSON.stringify({ [field]: String(value).slice(0, 100) })}?`
  return `${unknown} Known are: ${known.join(', ')}.`
}

function suggestion(name: string, known: readonly string[], nearest: typeof nearestWord) {
  const near = nearest(name, known)
  return near === undefined ? { known: known.slice(0, 40) } : { nearest: near }
}
