import { Invalid } from '../../../../kernel/failures/faults.ts'
import { maxXlsxCellCharacters } from '../../../../kernel/limits/imports.ts'
import { escapeHtml } from '../../../../kernel/text/escape-html.ts'
import { shownIn } from '../../../../lists/query/grammar/variables.ts'
import type { ListedRecord } from '../../../../lists/query/schema.ts'
import type { ExportColumn } from '../export-columns.ts'
import type { FileOptions } from '../file-types.ts'
import { styles } from './workbook-parts.ts'

/** As many characters of a number are at most 15 digits, which is what a cell keeps. */
const exactNumberCharacters = 15
const dayMs = 86_400_000
/** Day 0 of a sheet. It counts a 29 February 1900, so days are right from 1 March 1900 on. */
const dayZero = Date.UTC(1899, 11, 30)
const firstRightDay = Date.UTC(1900, 2, 1)

/** What precedes the rows of records: columns with their widths, and the row of names, which stays when one scrolls. */
export function sheetHead(columns: readonly ExportColumn[], labels: boolean): string {
  const widths = columns.map(
    ({ kind }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${kind === 'datetime' ? 20 : kind === 'text' ? 28 : 12}" customWidth="1"/>`,
  )
  const names = columns.map(({ name, label }, index) =>
    textCell(`${letters(index)}1`, labels ? label : name, styles.head),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    `<cols>${widths.join('')}</cols><sheetData><row r="1">${names.join('')}</row>`,
  ].join('')
}

/** What follows the rows; `rows` counts that of the names. */
export const sheetTail = (columns: number, rows: number): string =>
  `</sheetData><autoFilter ref="A1:${letters(columns - 1)}${rows}"/></worksheet>`

/** The row of a record. Throws Invalid naming the record and field of a text that is too long for a cell. */
export function sheetRow(
  columns: readonly ExportColumn[],
  options: FileOptions,
  record: ListedRecord,
  row: number,
): string {
  const cells = columns.map((column, index) => {
    const value = options.labels ? column.readLabel(record) : column.readCell(record)
    return cell(`${letters(index)}${row}`, value, column, options, record)
  })
  return `<row r="${row}">${cells.join('')}</row>`
}

function cell(
  at: string,
  value: unknown,
  { name, kind }: ExportColumn,
  { timeZone }: FileOptions,
  { id }: ListedRecord,
): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${Number(value)}</v></c>`
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (kind === 'decimal' && text.length <= exactNumberCharacters) return `<c r="${at}"><v>${text}</v></c>`
  if (kind === 'date' || kind === 'datetime') {
    const shown = Date.parse(kind === 'date' ? `${text}T00:00:00.000Z` : `${shownIn(text, timeZone)}Z`)
    if (shown >= firstRightDay) return `<c r="${at}" s="${styles[kind]}"><v>${(shown - dayZero) / dayMs}</v></c>`
  }
  if (text.length > maxXlsxCellCharacters)
    throw new Invalid({
      format: [
        `The ${name} of record ${id} has ${text.length.toLocaleString('en')} characters, and a cell of xlsx holds ${maxXlsxCellCharacters.toLocaleString('en')}. Leave the field out with fields=..., or use csv.`,
      ],
    })
  return textCell(at, text)
}

/** Text stays text: a sheet runs as formulas only what is written as one. */
const textCell = (at: string, text: string, style?: number): string =>
  `<c r="${at}" t="inlineStr"${style === undefined ? '' : ` s="${style}"`}><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`

/** Characters that XML cannot hold are written as `_x0007_` (ECMA-376, 22.9.2.19), and so are texts that look like it. */
// oxlint-disable-next-line no-control-regex -- XML has no other control characters than tab and line ends
const unwritable = /_(?=x[0-9A-Fa-f]{4}_)|[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g
const xmlText = (text: string): string =>
  escapeHtml(
    text.replaceAll(unwritable, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`),
  )

/** The letters of a column: A to Z, AA, ... */
function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : `${letters(Math.floor(index / 26) - 1)}${last}`
}
