import { readTable, type Table } from '../tables/service.ts'
import type { TableConfiguration } from './schema.ts'

/** A table of the document, which may not exist yet. */
export const tableToBe = ({ name, label = name, title_field = null, table_fields }: TableConfiguration): Table =>
  readTable({ name, version: 0, doc: { id: 0, label, title_field, table_fields, automations: [], retired: [] } })
