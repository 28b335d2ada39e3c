import { stringify } from 'csv-stringify/sync'
import type { ListedRecord } from '../../query/schema.ts'
import type { Table } from '../../tables/service.ts'

/** A file format: turns records into lines. */
export interface RecordLines {
  readonly contentType: string
  readonly extension: string
  /** The text before the first record. */
  readonly head: string
  lines(records: readonly ListedRecord[]): string
}

const standardColumns = ['created_by', 'created_at', 'updated_by', 'updated_at', 'version']

/**
 * The lines of a file. `fields` are those of the query; default: every field of the table. `readable`: the fields of the
 * table that the viewer may read; undefined: all.
 */
export function recordLines(
  format: 'csv' | 'ndjson',
  table: Pick<Table, 'table_fields'>,
  fields: readonly string[] | null | undefined,
  readable: ReadonlySet<string> | undefined,
): RecordLines {
  if (format === 'ndjson') return ndjson
  const hidden = new Set(readable && table.table_fields.map(({ name }) => name).filter((name) => !readable.has(name)))
  return csv(columnsOf(table, fields).filter((column) => !hidden.has(column.split('.')[0] as string)))
}

const ndjson: RecordLines = {
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  head: '',
  lines: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(''),
}

function columnsOf(
  { table_fields }: Pick<Table, 'table_fields'>,
  fields: readonly string[] | null | undefined,
): string[] {
  const every = [...table_fields.map(({ name }) => name), ...standardColumns]
  const columns = fields?.flatMap((field) => (field.trim() === '*' ? every : [field.trim()])) ?? every
  return ['id', ...new Set(columns.filter((name) => name !== 'id'))]
}

/** CSV by RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function csv(columns: readonly string[]): RecordLines {
  const write = (rows: readonly unknown[][]): string =>
    stringify(rows as unknown[][], {
      record_delimiter: '\r\n',
      escape_formulas: true,
      quoted_match: /[\r\n]/,
      cast: { boolean: String },
    })
  return {
    contentType: 'text/csv; charset=utf-8',
    extension: 'csv',
    head: write([[...columns]]),
    lines: (records) =>
      records.length === 0 ? '' : write(records.map((record) => columns.map((column) => cell(record, column)))),
  }
}

function cell(record: ListedRecord, column: string): unknown {
  const [name = '', step] = column.split('.')
  const source = step === undefined ? record : (record.expanded?.[name] as Partial<ListedRecord> | null | undefined)
  const value = memberOf(source, step ?? name)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** A standard member, or a field of the table. */
function memberOf(record: Partial<ListedRecord> | null | undefined, name: string): unknown {
  if (!record) return null
  return record.data && Object.hasOwn(record.data, name) ? record.data[name] : (record as Record<string, unknown>)[name]
}
