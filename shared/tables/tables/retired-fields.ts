import { own } from '../../kernel/collections/own-members.ts'
import { maxRetiredFieldBytes } from '../../kernel/limits/tables.ts'
import { foldsCase, typeOfField } from '../field-types/service.ts'
import type { ErrorList } from './error-list.ts'
import type { Field } from './schema.ts'

/** What is kept of a field that was removed while the table had records: enough to read and to give back its values,
 * with the settings that last. */
export type RetiredField = Pick<Field, 'name' | 'type' | 'unique'> & { readonly case_insensitive?: boolean | undefined }

/** The retired fields of a table after a change to `table_fields`. A field that was given back is none. */
export function retiredFields(
  before: { readonly retired: readonly RetiredField[]; readonly table_fields: readonly Field[] },
  table_fields: readonly Field[],
): RetiredField[] {
  const kept = new Set(table_fields.map(({ name }) => name))
  return [...before.retired, ...before.table_fields]
    .filter(({ name }) => !kept.has(name))
    .map((field) => ({
      name: field.name,
      type: field.type,
      ...(field.unique && { unique: true }),
      ...(foldsCase(field) && { case_insensitive: true }),
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
