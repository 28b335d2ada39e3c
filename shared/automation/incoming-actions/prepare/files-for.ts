import { maxFilesPerField } from '../../../kernel/limits/records.ts'
import type { IncomingMessage } from '../../../messages/incoming-messages/message.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { convertPlain } from './convert-value.ts'

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
