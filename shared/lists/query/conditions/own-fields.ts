import type { Table } from '../../../tables/tables/table.ts'
import type { FieldNames } from '../grammar/resolve-field.ts'

/** What conditions of a table's fields may name: its own fields, whoever writes the record. */
export const ownFields = (table: Table): FieldNames => ({
  table,
  targets: new Map(),
  mayRead: () => true,
  onlyOwn: true,
})
