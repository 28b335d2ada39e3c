import { byName } from '../../../kernel/collections/own-members.ts'
import { type Problem, say } from '../../../kernel/failures/sentence.ts'
import { maxFilesPerField } from '../../../kernel/limits/records.ts'
import { readMoment } from '../../../lists/query/grammar/variables.ts'
import type { IncomingMessage } from '../../../messages/incoming-messages/message.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { readInstant } from '../match/instant.ts'
import { type MessageDocument, valueAt } from '../match/message-path.ts'
import { readNumber } from '../match/read-number.ts'

/** The fields that a mapping gives a record, and why others could not be converted, by field. */
export interface MappedFields {
  readonly data: Readonly<Record<string, unknown>>
  readonly problems: Readonly<Record<string, Problem>>
}

/** Whether the source of a field is a literal: `=mail`. */
export const isLiteral = (source: string): boolean => source.startsWith('=')

/** Maps a message to the fields of a table. A path without a value leaves its field out. */
export async function mapFields(
  table: Pick<Table, 'fieldsByName'>,
  mapping: Readonly<Record<string, string>>,
  message: MessageDocument,
  context: Parameters<typeof convertValue>[2],
): Promise<MappedFields> {
  const data: Record<string, unknown> = byName()
  const problems: Record<string, Problem> = byName()
  for (const [name, source] of Object.entries(mapping)) {
    const field = table.fieldsByName.get(name)
    if (!field) {
      problems[name] = say('unknown_field', { field: name })
      continue
    }
    const converted = await convertValue(field, isLiteral(source) ? source.slice(1) : valueAt(message, source), context)
    if (converted === undefined) continue
    if ('error' in converted) problems[name] = converted.error
    else data[name] = converted.value
  }
  return { data, problems }
}

/** A value as a field stores it, none (the field is left out), or why there is none. */
type Converted = { readonly value: unknown } | { readonly error: Problem } | undefined

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

/**
 * The files of a mail in the only field for files of a table; nothing when there are several such fields, or the mapping
 * names it. Pictures that the text of the mail shows are no files of its own.
 */
export function filesFor(
  { table_fields }: Pick<Table, 'table_fields'>,
  mapping: Readonly<Record<string, unknown>>,
  { attachments, payload: { html } }: Pick<IncomingMessage, 'attachments' | 'payload'>,
): Readonly<Record<string, unknown>> {
  const [field, ...others] = table_fields.filter(({ type }) => type === 'file')
  if (!field || others.length > 0 || Object.hasOwn(mapping, field.name)) return {}
  const isShown = (id: string | undefined): boolean =>
    id !== undefined && typeof html === 'string' && html.includes(`cid:${id}`)
  const files = attachments.filter(({ path, content_id: id }) => path !== null && !isShown(id))
  const converted = convertPlain(field, files.slice(0, maxFilesPerField), 'UTC')
  return converted && 'value' in converted ? { [field.name]: converted.value } : {}
}
