import { own } from '../../kernel/collections/own-members.ts'
import { maxRetiredFieldBytes } from '../../kernel/limits/tables.ts'
import { supersededName } from '../../platform/store/rows/stored-names.ts'
import { foldsCase, typeOfField } from '../field-types/read-field.ts'
import type { ErrorList } from './error-list.ts'
import type { Field } from './schema.ts'

/** What is kept of a field that was removed while the table had records: enough to read and to give back its values,
 * with the settings that last. */
export type RetiredField = Pick<Field, 'name' | 'type' | 'unique'> & {
  readonly case_insensitive?: boolean | undefined
  /** The name under which records store its values; undefined for its own. */
  readonly stored_as?: string
  /** The name that it had, when another field has it by now. */
  readonly was?: string
}

type Fields = readonly { readonly name: string }[]
type StoredAs = Readonly<Record<string, string>>

/** The retired fields of a stored table by names that no field of it has: one whose name is taken gets another. */
export function namesOfRetired({
  table_fields,
  retired,
}: {
  readonly table_fields: Fields
  readonly retired: readonly RetiredField[]
}): readonly RetiredField[] {
  const taken = new Set(table_fields.map(({ name }) => name))
  if (!retired.some(({ name, stored_as }) => stored_as !== undefined || taken.has(name))) return retired
  return retired
    .toReversed()
    .map((field) => {
      const stored = field.stored_as ?? field.name
      const isTaken = taken.has(field.name)
      taken.add(field.name)
      return isTaken ? { ...field, name: supersededName(stored), was: field.name, stored_as: stored } : field
    })
    .toReversed()
}

/** The name under which records store a field of a table, as the stored documents say. */
export const storedAsIn = (names: StoredAs | undefined, name: string): string => names?.[name] ?? name

/**
 * The stored names of a table's fields that are not their own, after a change. A field that stays, or is given back,
 * keeps its own; a new one gets one that no other field has or had.
 */
export function storedNamesAfter(
  before: {
    readonly retired: readonly RetiredField[]
    readonly table_fields: Fields
    readonly stored_as?: StoredAs
  },
  table_fields: Fields,
  version: number,
): StoredAs {
  const used = new Set([
    ...before.table_fields.map(({ name }) => storedAsIn(before.stored_as, name)),
    ...before.retired.map((field) => field.stored_as ?? field.name),
  ])
  const known = new Set(before.table_fields.map(({ name }) => name))
  return Object.fromEntries(
    table_fields.flatMap(({ name }) => {
      const stored = known.has(name)
        ? storedAsIn(before.stored_as, name)
        : (givenBack(before.retired, name) ?? (used.has(name) ? `${name}~${version}` : name))
      return stored === name ? [] : [[name, stored]]
    }),
  )
}

/** The stored name of the removed field that a new field of this name gives back: the one removed last. */
function givenBack(retired: readonly RetiredField[], name: string): string | undefined {
  const field = retired.findLast((one) => (one.was ?? one.name) === name)
  return field && (field.stored_as ?? field.name)
}

/** The retired fields of a table after a change to `table_fields`. A field that was given back is none. */
export function retiredFields(
  before: {
    readonly retired: readonly RetiredField[]
    readonly table_fields: readonly Field[]
    readonly stored_as?: StoredAs
  },
  table_fields: readonly Field[],
  version: number,
): RetiredField[] {
  const next = storedNamesAfter(before, table_fields, version)
  const kept = new Set(table_fields.map(({ name }) => storedAsIn(next, name)))
  const removed = before.table_fields.map((field) => ({ field, stored: storedAsIn(before.stored_as, field.name) }))
  const earlier = before.retired.map(({ was, ...field }) => {
    const named = { ...field, name: was ?? field.name }
    return { field: named, stored: field.stored_as ?? field.name }
  })
  return [...earlier, ...removed]
    .filter(({ stored }) => !kept.has(stored))
    .map(({ field, stored }) => ({
      name: field.name,
      type: field.type,
      ...(field.unique && { unique: true }),
      ...(foldsCase(field) && { case_insensitive: true }),
      ...(stored !== field.name && { stored_as: stored }),
      ...Object.fromEntries(
        Object.keys(typeOfField(field).lasting ?? {}).flatMap((setting) => {
          const value = own(field, setting)
          return value === undefined ? [] : [[setting, value]]
        }),
      ),
    }))
}

/** Refuses a change after which the table would keep more of removed fields than it has room for. */
export function checkRetired(retired: readonly RetiredField[], list: ErrorList): void {
  if (Buffer.byteLength(JSON.stringify(retired)) > maxRetiredFieldBytes)
    list.add(
      'table_fields',
      `The table already keeps the names and types of removed fields, because its records still hold their values. There is no room for ${retired.length} of them (${maxRetiredFieldBytes / 1024} KB): keep some of these fields, or move the records to another table.`,
    )
}
