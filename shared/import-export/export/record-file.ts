import { stringify } from 'csv-stringify/sync'
import type { ListedRecord } from '../../query/schema.ts'
import { shownIn } from '../../query/service.ts'
import type { ExportColumn } from './export-columns.ts'
import { xlsxFile, type XlsxState } from './xlsx/xlsx-file.ts'

/** A file of records that is written piece by piece, and continued by another process. */
export interface RecordFile {
  readonly contentType: string
  readonly extension: string
  /** What precedes the first record. */
  head(): string | Buffer
  /** The next records. Throws Invalid for a record that the format cannot hold. */
  add(records: readonly ListedRecord[]): string | Buffer
  /** What follows the last record. */
  tail(): string | Buffer
  /** What another process needs to continue; null when it needs nothing. */
  state(): XlsxState | null
}

export interface FileOptions {
  readonly format: 'csv' | 'ndjson' | 'xlsx'
  /** Whether it shows labels and titles instead of names, slugs and ids. */
  readonly labels: boolean
  /** In which people read times. */
  readonly timeZone: string
  /** The name of the sheet. */
  readonly title: string
  /** When it began: the time of the entries of an XLSX file. */
  readonly beganAt: Date
}

/** Opens a file of records, at its beginning or with the state of a process that wrote a part of it. */
export function recordFile(
  columns: readonly ExportColumn[],
  options: FileOptions,
  state: XlsxState | null = null,
): RecordFile {
  switch (options.format) {
    case 'ndjson':
      return ndjson
    case 'csv':
      return csv(columns, options)
    case 'xlsx':
      return xlsxFile(columns, options, state)
  }
}

const ndjson: RecordFile = {
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  head: () => '',
  add: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  tail: () => '',
  state: () => null,
}

/** CSV by RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function csv(columns: readonly ExportColumn[], { labels, timeZone }: FileOptions): RecordFile {
  const write = (rows: readonly unknown[][]): string =>
    stringify(rows as unknown[][], {
      record_delimiter: '\r\n',
      escape_formulas: true,
      quoted_match: /[\r\n]/,
      cast: { boolean: String },
    })
  const cell = (record: ListedRecord, column: ExportColumn): unknown => {
    const value = labels ? column.readLabel(record) : column.read(record)
    if (labels && column.kind === 'datetime' && typeof value === 'string')
      return shownIn(value, timeZone).slice(0, 19).replace('T', ' ')
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  }
  return {
    contentType: 'text/csv; charset=utf-8',
    extension: 'csv',
    head: () => write([columns.map(({ name, label }) => (labels ? label : name))]),
    add: (records) =>
      records.length === 0 ? '' : write(records.map((record) => columns.map((column) => cell(record, column)))),
    tail: () => '',
    state: () => null,
  }
}
