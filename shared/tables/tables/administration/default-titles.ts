import { typeOfField } from '../../field-types/read-field.ts'
import type { Field } from '../schema.ts'
import type { Table } from '../table.ts'

/** The label of a table that is created without one: `purchase_orders` becomes `Purchase orders`. */
export const defaultLabel = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')

/** The title field of a table that is created without one: its first field of a type for titles, or null. */
export const defaultTitleField = (fields: readonly Field[]): string | null =>
  fields.find((field) => typeOfField(field).isTitle)?.name ?? null

/** The title field after a change that does not set it; null when the change removes that field. */
export const keptTitleField = (before: Table, kept: ReadonlySet<string>): string | null =>
  before.title_field && kept.has(before.title_field) ? before.title_field : null
