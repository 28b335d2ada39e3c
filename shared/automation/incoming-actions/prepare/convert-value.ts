import { maxMappedCharacters } from '../../../kernel/limits/incoming.ts'
import { readMoment } from '../../../lists/query/service.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import { checkValue } from '../../../tables/tables/service.ts'
import { readInstant } from '../match/instant.ts'
import { readNumber } from '../match/read-number.ts'

/** A value as a field stores it, none (the field is left out), or why there is none. */
export type Converted = { readonly value: unknown } | { readonly error: string } | undefined

/** A text without a limit of its own ends here, so that a long message still fits into a record. */
const yes: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'yes', 'on'])
const no: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', 'no', 'off'])
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
  if (field.type !== 'user' || !isAddress(value)) return convertPlain(field, value, context.timeZone)
  const id = await context.userIdOf(value)
  return id === undefined ? undefined : { value: id }
}

/** The same without looking anything up, which is enough for the literals of a mapping when it is saved. */
export function convertPlain(field: Field, value: unknown, timeZone: string): Converted {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return undefined
  if (field.type === 'user' && isAddress(value)) return undefined
  const read = readAs(field, value, timeZone)
  return read === undefined ? undefined : checkValue(field, read)
}

/** The value in the form of the field, unchecked; as it is where it has no such form, which the check refuses. */
function readAs(field: Field, value: unknown, timeZone: string): unknown {
  switch (field.type) {
    case 'text':
    case 'textarea':
      return cut(textOf(value), field.max_length ?? maxMappedCharacters)
    case 'integer':
    case 'float':
      return typeof value === 'string' ? (readNumber(value) ?? value) : value
    case 'user':
    case 'model_list':
    case 'company':
    case 'org_unit':
      return typeof value === 'string' ? (readNumber(value) ?? value) : idOf(value)
    case 'boolean': {
      const word = typeof value === 'string' ? value.trim().toLowerCase() : value
      return yes.has(word) ? true : no.has(word) ? false : value
    }
    case 'date':
      return dayOf(value, timeZone) ?? value
    case 'datetime':
      return readInstant(value) ?? value
    case 'value_list':
      return slugOf(field.options, value)
    case 'state_model':
      return slugOf(field.states, value)
    case 'file':
      return filesOf(field, value)
    case 'image':
      return imageOf(value)
    case 'point':
      return pointOf(value)
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(String).join(', ')
  return typeof value === 'object' ? JSON.stringify(value).toWellFormed() : String(value)
}

/** At most so many characters, the last of which says that more followed. */
function cut(text: string, maximum: number): string {
  if (text.length <= maximum) return text
  const characters = Array.from(text.slice(0, maximum * 2 + 2))
  return characters.length <= maximum ? text : `${characters.slice(0, maximum - 1).join('')}…`
}

/** A day stays as it is; a moment is the day that it is in the tenant's time zone. */
function dayOf(value: unknown, timeZone: string): string | undefined {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim())) return value.trim()
  const moment = readInstant(value)
  return moment && readMoment('$NOW', 'date', { nowMs: Date.parse(moment), timeZone, orgUnitIds: [] })
}

/** By slug, else by slug or label in any case. */
function slugOf(choices: Field['options'] | Field['states'], value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'object' ? '' : String(value)
  const folded = text.toLowerCase()
  const found =
    choices?.find(({ slug }) => slug === text) ??
    choices?.find(({ slug, label }) => slug.toLowerCase() === folded || label?.trim().toLowerCase() === folded)
  return found?.slug ?? value
}

/** The id of a record that is given as `{ id, ... }`, such as `reply_to`. */
const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? value.id : value

/** Paths of attachments; a field of one file takes the first. undefined when no file could be fetched. */
function filesOf({ multiple }: Field, value: unknown): unknown {
  const given = Array.isArray(value) ? value : [value]
  const paths = given.map(pathOf).filter((path) => path !== null)
  const [first] = paths
  if (first === undefined) return undefined
  return multiple ? [...new Set(paths)] : first
}

/** The first attachment that is an image, or a path. */
function imageOf(value: unknown): unknown {
  const given = Array.isArray(value) ? value : [value]
  const image = given.find((one) => typeof one !== 'object' || String(one?.content_type).startsWith('image/'))
  return image === undefined ? undefined : (pathOf(image) ?? undefined)
}

/** The path of an attachment, null when its file could not be fetched; any other value stays, and the check refuses it. */
const pathOf = (one: unknown): unknown => (typeof one === 'object' && one !== null && 'path' in one ? one.path : one)

/** `{ lat, lng }`, the `{ latitude, longitude }` of a messenger, or `52.5, 13.4` as text. */
function pointOf(value: unknown): unknown {
  if (typeof value === 'string') {
    const [lat, lng, ...more] = value.replace(/^geo:/i, '').split(',').map(readNumber)
    return lat === undefined || lng === undefined || more.length > 0 ? value : { lat, lng }
  }
  if (typeof value !== 'object' || value === null) return value
  const given = value as Record<string, unknown>
  const [lat, lng] = [given.lat ?? given.latitude, given.lng ?? given.lon ?? given.longitude]
  return lat === undefined || lng === undefined ? value : { lat: numeric(lat), lng: numeric(lng) }
}
const numeric = (value: unknown): unknown => (typeof value === 'string' ? (readNumber(value) ?? value) : value)
