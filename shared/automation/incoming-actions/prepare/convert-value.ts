import { readMoment } from '../../../lists/query/grammar/variables.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import { readInstant } from '../match/instant.ts'
import { readNumber } from '../match/read-number.ts'

/** A value as a field stores it, none (the field is left out), or why there is none. */
export type Converted = { readonly value: unknown } | { readonly error: string } | undefined

/** References to these are looked up by address, where the message has one. */
const isAddress = (value: unknown): value is string => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value)

/**
 * Converts a value of a message to the type of a field. Nothing (null, an empty text or list) leaves the field out; so
 * does an address that no user has. `timeZone` decides to which day a moment belongs; `userIdOf` finds a person by
 * address. Texts that are too long are cut, because a message must not be lost for them.
 */
export async function convertValue(
  field: Field,
  value: unknown,
  context: { readonly timeZone: string; userIdOf(address: string): Promise<number | undefined> },
): Promise<Converted> {
  if (!typeOfField(field).refersToPeople || !isAddress(value)) return convertPlain(field, value, context.timeZone)
  const id = await context.userIdOf(value)
  return id === undefined ? undefined : { value: id }
}

/** The same without looking anything up, which is enough for the literals of a mapping when it is saved. */
export function convertPlain(field: Field, value: unknown, timeZone: string): Converted {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return undefined
  const type = typeOfField(field)
  if (type.refersToPeople && isAddress(value)) return undefined
  const readers = { number: readNumber, instant: readInstant, day: (given: unknown) => dayOf(given, timeZone) }
  const read = type.readMessage ? type.readMessage(field, value, readers) : value
  return read === undefined ? undefined : type.check(field, read)
}

/** A day stays as it is; a moment is the day that it is in the tenant's time zone. */
function dayOf(value: unknown, timeZone: string): string | undefined {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim())) return value.trim()
  const moment = readInstant(value)
  return moment && readMoment('$NOW', 'date', { nowMs: Date.parse(moment), timeZone, orgUnitIds: [] })
}
