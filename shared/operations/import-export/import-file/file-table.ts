import { Invalid, Malformed } from '../../../kernel/failures/faults.ts'
import { maxCsvColumns, maxImportFileRows } from '../../../kernel/limits/imports.ts'
import type { ImportFormat } from '../../import-mappings/schema.ts'
import { readCsvText } from '../import/read-csv.ts'
import { readNdjson } from '../import/read-ndjson.ts'

/** What a file holds: its columns, and its rows by their names. */
export interface FileTable {
  readonly columns: readonly string[]
  readonly rows: readonly unknown[]
  /** Of a workbook. */
  readonly sheets?: readonly string[]
  readonly sheet?: string
  /** Cells are texts, to be read as their fields do. */
  readonly coerce: boolean
}

/** The format that a name says, unless one is given. Throws Invalid. */
export function formatOf(name: string, given: ImportFormat | undefined): ImportFormat {
  if (given) return given
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase()
  if (ending === 'xlsx' || ending === 'ndjson') return ending
  if (ending === 'jsonl') return 'ndjson'
  if (ending === 'csv' || ending === 'tsv' || ending === 'txt') return 'csv'
  throw new Invalid({ format: [`The name ${name} does not say the format. Send format: csv, xlsx or ndjson.`] })
}

/** Reads a file. `stopsAt`: only so many rows are wanted. Throws Invalid and Malformed for what cannot be read. */
export async function readFileTable(
  bytes: Buffer,
  format: ImportFormat,
  { sheet, stopsAt }: { readonly sheet?: string | undefined; readonly stopsAt?: number } = {},
): Promise<FileTable> {
  if (format !== 'xlsx' && sheet !== undefined) throw new Invalid({ sheet: ['Only a workbook has sheets.'] })
  if (format === 'xlsx') {
    const { readXlsx } = await import('./xlsx/read-xlsx.ts')
    return readXlsx(bytes, sheet, stopsAt)
  }
  if (format === 'csv')
    return {
      ...(await readCsvText(decodeText(bytes), stopsAt ?? maxImportFileRows, { stops: stopsAt !== undefined })),
      coerce: true,
    }
  const { rows } = await readNdjson(Buffer.from(decodeText(bytes)), maxImportFileRows)
  const columns = new Set<string>()
  for (const row of rows)
    for (const name of typeof row === 'object' && row !== null ? Object.keys(row) : []) {
      columns.add(name)
      if (columns.size > maxCsvColumns)
        throw new Invalid({ path: [`The file has more than ${maxCsvColumns} columns.`] })
    }
  return { columns: [...columns], rows, coerce: false }
}

/** The text of a file in UTF-8, in UTF-16 with its mark, or else in Windows-1252, as older spreadsheets write. */
function decodeText(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 4096).includes(0))
    throw new Malformed(
      'malformed_json',
      'The file is no text: save it as CSV in UTF-8, or send format: xlsx for a workbook.',
    )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
