import { maxColumnCharacters } from '../../kernel/limits/lists.ts'
import { conversationColumns, stateOfConversation } from '../../platform/store/rows/conversation-state.ts'
import type { RecordHead } from '../../platform/store/rows/record-row.ts'
import { type NamedFields, storedName } from '../../platform/store/rows/stored-names.ts'
import { objectText } from '../../tables/field-types/read-field.ts'
import type { Scalar, Value } from './scalar.ts'

/** The column of the whole texts of a field that are too long for the field's own column. */
export const longColumn = (field: string): string => `${field}+`
export const isLongColumn = (column: string): boolean => column.endsWith('+')

/** The column that holds a field, or its long texts, of a table whose fields may have been renamed. */
export const storedColumn = (fields: NamedFields, column: string): string =>
  !fields.storedNames
    ? column
    : isLongColumn(column)
      ? longColumn(storedName(fields, column.slice(0, -1)))
      : storedName(fields, column)

/** Standard members of a record that are columns as its fields are. The id is the place in the chunk. */
const standardColumns = ['created_by', 'updated_by', 'created_at', 'updated_at'] as const

/** The values of a record by column, whole texts included, without missing ones. */
export function columnValues(
  head: Pick<RecordHead, (typeof standardColumns)[number] | 'conversation'>,
  data: Readonly<Record<string, unknown>>,
  opaque?: readonly string[],
): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const name of standardColumns) values.set(name, head[name])
  const conversation = stateOfConversation(head.conversation)
  if (conversation)
    for (const [column, member] of Object.entries(conversationColumns))
      if (conversation[member] !== null) values.set(column, conversation[member])
  for (const name in data) {
    if (opaque?.includes(name)) continue
    const value = columnValue(data[name])
    if (value !== null) values.set(name, value)
  }
  return values
}

/** A field's value as a column holds it: an object, as a point is, becomes one text. */
function columnValue(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value as readonly Scalar[]
  return objectText(value) ?? JSON.stringify(value)
}

/** The end of a text that its own column holds, in whole characters. */
export const cutText = (text: string): string =>
  text.length <= maxColumnCharacters
    ? text
    : text
        .slice(0, maxColumnCharacters)
        .toWellFormed()
        .replace(/\uFFFD$/, '')
