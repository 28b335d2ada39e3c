import { fieldErrorsOf } from '../api/failures.ts'
import type { RecordData } from '../api/records.ts'
import { type Field, labelsOf } from '../api/tables.ts'
import { moduleOf } from './registry.ts'

/*
 * What every form over fields does with values and errors: of a record, an item of the portal, a task.
 */

/** The fields that people fill in for a new record: states begin by themselves. */
export const fieldsToFill = <F extends Field>(fields: readonly F[]): readonly F[] =>
  fields.filter((field) => field.type !== 'state_model' && !field.readonly && moduleOf(field).Edit)

/**
 * Messages of a refusal by the field they are about, with the labels of `fields`: the service names `title`, `data.title` and `files.0`. The first of a
 * field counts.
 */
export function errorsByField(error: unknown, fields: readonly Field[] = []): Readonly<Record<string, string>> {
  const found = new Map<string, string>()
  for (const [path, message] of Object.entries(fieldErrorsOf(error, labelsOf(fields)))) {
    const [first = '', second = first] = path.split('.')
    const name = first === 'data' ? second : first
    if (!found.has(name)) found.set(name, message)
  }
  return Object.fromEntries(found)
}

/** Whether a refusal is about none of the fields that are shown: it is said below the form then. */
export const isElsewhere = (error: unknown, fields: readonly Pick<Field, 'name'>[]): boolean => {
  const errors = errorsByField(error)
  return Boolean(error) && !fields.some(({ name }) => Object.hasOwn(errors, name))
}

/** What is sent of a form: the fields that have a value, and those that had one when it was `opened` and were cleared. */
export const valuesToSend = (
  fields: readonly Pick<Field, 'name'>[],
  data: RecordData,
  opened: RecordData,
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .map(({ name }) => [name, data[name]] as const)
      .filter(([name, value]) => value !== undefined && (value !== null || (opened[name] ?? null) !== null)),
  )
