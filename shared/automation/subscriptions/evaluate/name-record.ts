import type { EntityRecord } from '../../../records/records/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'

/** What a person calls a record: `Requests 42 "Printer"`. The title is left out where `readable` does not have it. */
export function nameRecord(
  { label, title_field }: Pick<Table, 'label' | 'title_field'>,
  { id, data }: Pick<EntityRecord, 'id' | 'data'>,
  readable: ReadonlySet<string> | undefined,
): string {
  const title = title_field !== null && (readable?.has(title_field) ?? true) ? data[title_field] : undefined
  return `${label} ${id}${typeof title === 'string' && title !== '' ? ` "${title}"` : ''}`
}
