import type { CastReturnObject } from 'csv-stringify'
import { stringify } from 'csv-stringify/sync'
import { shownIn } from '../../../lists/query/grammar/variables.ts'
import type { ListedRecord } from '../../../lists/query/schema.ts'
import type { ExportColumn } from './export-columns.ts'
import type { FileOptions, RecordFile, XlsxState } from './file-types.ts'
import { xlsxFile } from './xlsx/xlsx-file.ts'

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

/** A cell as it is; the option is missing in the package's types. */
const unescaped = (value: string): CastReturnObject => ({ value, escape_formulas: false }) as CastReturnObject

/** An import takes the first apostrophe of such a text away. */
const likeEscaped = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** CSV by RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function csv(columns: readonly ExportColumn[], { labels, timeZone }: FileOptions): RecordFile {
  const write = (rows: readonly unknown[][]): string =>
    stringify(rows as unknown[][], {
      record_delimiter: '\r\n',
      escape_formulas: true,
      quoted_match: /[\r\n]/,
      cast: {
        boolean: String,
        string: (value, { index }) =>
          // A negative decimal is text to the writer of files, and a number to a spreadsheet.
          value.startsWith('-') && columns[index]?.kind === 'decimal'
            ? unescaped(value)
            : likeEscaped.test(value)
              ? `'${value}`
              : value,
      },
    })
  const cell = (record: ListedRecord, column: ExportColumn): unknown => {
    const value = labels ? column.readLabel(record) : column.readCell(record)
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
