import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxImportFileCells } from '../../../kernel/limits/imports.ts'
import { didYouMean, listed, shown } from '../../../kernel/text/did-you-mean.ts'
import { readHeader } from '../import/read-csv.ts'
import { unpackWorkbook } from './bounded-zip.ts'
import type { FileTable } from './file-table.ts'

/**
 * Reads a sheet of a workbook, the first one unless named: its first line has the names of columns. Numbers become texts
 * without exponent, truth values `true` and `false`, formulas what they last came to; dates stay dates, because a
 * workbook does not say in which time zone. The reader loads with the first workbook. Throws Invalid.
 */
export async function readXlsx(bytes: Buffer, most: number, sheet?: string): Promise<FileTable> {
  const archive = unpackWorkbook(bytes, 'path')
  const { default: readWorkbook } = await import('read-excel-file/universal')
  const sheets = await readWorkbook(archive, { parseNumber: plainNumber, trim: false }).catch((cause: unknown) => {
    throw new Invalid({ path: [`The file is no workbook in XLSX: ${shown((cause as Error).message)}`] }, { cause })
  })
  const names = sheets.map((one) => one.sheet)
  const found = sheet === undefined ? sheets[0] : sheets.find((one) => one.sheet === sheet)
  if (!found)
    throw new Invalid({
      sheet: [
        `There is no sheet ${shown(sheet ?? '')}.${didYouMean(sheet ?? '', names)} The workbook has: ${listed(names)}.`,
      ],
    })
  const [head, ...lines] = found.data.filter((cells) => cells.some((cell) => cell !== null))
  if (!head) throw new Invalid({ path: ['The sheet is empty: its first line must have the names of columns.'] })
  const width = found.data.reduce(
    (widest, cells) => Math.max(widest, cells.findLastIndex((cell) => cell !== null) + 1),
    0,
  )
  const columns = readHeader(
    Array.from({ length: width }, (_, at) =>
      head[at] === null || head[at] === undefined ? '' : String(textOf(head[at])),
    ),
  )
  if (lines.length > most)
    throw new Invalid({ path: [`The sheet has ${lines.length} lines, and a file may have ${most}. Divide it.`] })
  if (lines.length * width > maxImportFileCells)
    throw new Invalid({ path: [`The sheet has more than ${maxImportFileCells} cells. Divide it.`] })
  return {
    columns,
    rows: lines.map((cells) =>
      Object.fromEntries(
        columns.flatMap((name, at) => {
          const cell = cells[at]
          return cell === null || cell === undefined || cell === '' ? [] : [[name, textOf(cell)]]
        }),
      ),
    ),
    sheets: names,
    sheet: found.sheet,
    coerce: true,
  }
}

const textOf = (cell: unknown): string | Date => (cell instanceof Date ? wholeSecond(cell) : String(cell))

/** A moment is a fraction of a day in a workbook: 10:00 comes out as 09:59:59.999. */
function wholeSecond(moment: Date): Date {
  const seconds = Math.round(moment.getTime() / 1000) * 1000
  return Math.abs(seconds - moment.getTime()) <= inexactMs ? new Date(seconds) : moment
}

const inexactMs = 2

/** A number as people write it. A workbook keeps 15 digits, and `0.1 + 0.2` as 0.30000000000000004. */
function plainNumber(text: string): string {
  const value = Number(Number(text).toPrecision(15))
  if (!Number.isFinite(value)) return text
  const plain = String(value)
  return /e/i.test(plain) ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : plain
}
