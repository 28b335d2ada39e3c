import { byName } from '../../../kernel/collections/own-members.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { type MessageDocument, valueAt } from '../match/message-path.ts'
import { convertValue } from './convert-value.ts'

/** The fields that a mapping gives a record, and why others could not be converted, by field. */
export interface MappedFields {
  readonly data: Readonly<Record<string, unknown>>
  readonly problems: Readonly<Record<string, string>>
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
  const problems: Record<string, string> = byName()
  for (const [name, source] of Object.entries(mapping)) {
    const field = table.fieldsByName.get(name)
    if (!field) {
      problems[name] = `The ${name} field is unknown.`
      continue
    }
    const converted = await convertValue(field, isLiteral(source) ? source.slice(1) : valueAt(message, source), context)
    if (converted === undefined) continue
    if ('error' in converted) problems[name] = converted.error
    else data[name] = converted.value
  }
  return { data, problems }
}
