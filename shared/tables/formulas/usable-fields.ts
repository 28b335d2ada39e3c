import { typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../field-types/schema.ts'

/** The fields that a formula may name: a value that follows from the id comes only when the record is stored. */
export const usableFields = (fields: Iterable<Field>): ReadonlySet<string> =>
  new Set([...fields].filter((field) => !typeOfField(field).generate).map(({ name }) => name))
