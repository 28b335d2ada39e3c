import { Readable } from 'node:stream'
import { CsvError, type Info, parse } from 'csv-parse'
import { byName } from '../../../kernel/collections/own-members.ts'
import { Invalid, Malformed } from '../../../kernel/failures/faults.ts'
import { maxCsvColumns, maxCsvLineBytes, maxImportFileLines, maxImportRows } from '../../../kernel/limits/imports.ts'
import { createTurns } from '../../../kernel/runtime/give-way.ts'

/** What separates cells: a comma by RFC 4180; spreadsheets of many countries write a semicolon, or a tab. */
const delimiters = [',', ';', '\t']
/** A spreadsheet would run such a text as a formula, so files have an apostrophe before it, those of exports too; one that begins with apostrophes has one more. */
const escapedFormula = /^'(?='*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/

/**
 * Reads a CSV file (RFC 4180, UTF-8 with or without BOM) whose first line has the names of fields into the rows of an
 * import. Cells stay texts; empty ones, and lines without any text, are left out. Throws Malformed for what is no CSV in
 * UTF-8, and Invalid for lines that do not fit their header, with the number of the line.
 */
export async function readCsv(bytes: Buffer): Promise<{ readonly rows: readonly object[]; readonly coerce: true }> {
  const { rows } = await readCsvText(utf8(bytes), maxImportRows)
  return { rows, coerce: true }
}

/** The same of a text, with its columns. `most`: of more lines than these it throws, or with `stops` leaves them out. */
export async function readCsvText(
  text: string,
  most: number,
  { stops = false } = {},
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly Readonly<Record<string, unknown>>[] }> {
  const parser = Readable.from(piecesOf(text)).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      // A text such as 27" stands without quotes in many files, and every spreadsheet opens them.
      relax_quotes: true,
      raw: true,
      skip_empty_lines: true,
      max_record_size: maxCsvLineBytes,
    }),
  )
  const nextTurn = createTurns()
  const rows: Record<string, unknown>[] = []
  let names: readonly string[] | undefined
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<CsvLine>) {
      await nextTurn()
      if (info.records > maxImportFileLines) throw tooManyLines()
      refuseTextBehindQuote(record, raw, info.lines)
      if (!names) names = readHeader(record)
      else if (record.some((cell) => cell.trim() !== '')) rows.push(readLine(names, record, info.lines))
      if (stops && rows.length === most) break
      if (rows.length > most)
        throw new Invalid({ rows: [`The rows may not have more than ${most} items: divide the file.`] })
    }
  } catch (error) {
    throw error instanceof CsvError ? new Malformed('malformed_json', explain(error), { cause: error }) : error
  }
  if (!names) throw new Invalid({ body: ['The file is empty: its first line must have the names of fields.'] })
  return { columns: names, rows }
}

function utf8(bytes: Buffer): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new Malformed('malformed_json', 'The file is UTF-16: save it as UTF-8.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Malformed('malformed_json', 'The file is not valid UTF-8.', { cause })
  }
}

const pieceCharacters = 64 * 1024
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; from += pieceCharacters) yield text.slice(from, from + pieceCharacters)
}

/** The one that the header has; names of fields hold none of them. */
function delimiterOf(text: string): string {
  const end = text.search(/[\r\n]/)
  const header = end === -1 ? text : text.slice(0, end)
  return delimiters.find((one) => header.includes(one)) ?? ','
}

export function readHeader(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  if (names.length > maxCsvColumns) throw new Invalid({ body: [`The file has more than ${maxCsvColumns} columns.`] })
  const unnamed = names.indexOf('')
  if (unnamed !== -1) throw new Invalid({ body: [`Column ${unnamed + 1} has no name in the first line of the file.`] })
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) throw new Invalid({ body: [`The column ${twice.slice(0, 100)} occurs twice in the file.`] })
  return names
}

/** That a file has more lines than a sheet can have, most of which hold nothing. */
export const tooManyLines = (): Invalid =>
  new Invalid({ rows: [`The file has more than ${maxImportFileLines} lines: delete those without text.`] })

interface CsvLine {
  readonly record: string[]
  /** As the file has it. */
  readonly raw: string
  readonly info: Info
}

/** The parser, which takes quotes within a text, also takes a text behind a closing quote: lines would run together. */
function refuseTextBehindQuote(record: readonly string[], raw: string, line: number): void {
  const wrong = record.find((cell) => cell.startsWith('"') && !raw.includes(`"${cell.replaceAll('"', '""')}"`))
  if (wrong !== undefined)
    throw new Malformed(
      'malformed_json',
      `The file is not valid CSV: in line ${line} a text stands behind a closing quote. Write a quote that belongs to a text in quotes twice.`,
    )
}

function readLine(names: readonly string[], cells: readonly string[], line: number): Record<string, unknown> {
  if (cells.length !== names.length)
    throw new Invalid({
      body: [
        `Line ${line} of the file has ${cells.length} cells, and its first line ${names.length}. Put a text that holds the delimiter in quotes.`,
      ],
    })
  const row = byName<string>()
  for (const [at, name] of names.entries()) {
    const cell = (cells[at] as string).replace(escapedFormula, '')
    if (cell !== '') row[name] = cell
  }
  return row
}

function explain({ code, message, lines }: CsvError & { readonly lines?: number }): string {
  const at = lines === undefined ? '' : ` in line ${lines}`
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `The file is not valid CSV: a quote is opened${at} and not closed.`
  if (code === 'CSV_MAX_RECORD_SIZE') return 'The file is not valid CSV: a line is longer than 1 MB.'
  return `The file is not valid CSV: ${message}`
}
