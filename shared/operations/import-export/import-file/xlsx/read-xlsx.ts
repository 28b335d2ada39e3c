import { Invalid } from '../../../../kernel/failures/faults.ts'
import {
  maxCsvLineBytes,
  maxImportFileCharacters,
  maxImportFileRows,
  maxWorkbookTexts,
} from '../../../../kernel/limits/imports.ts'
import { createTurns } from '../../../../kernel/runtime/give-way.ts'
import { didYouMean, listed, shown } from '../../../../kernel/text/did-you-mean.ts'
import { readHeader } from '../../import/read-csv.ts'
import type { FileTable } from '../file-table.ts'
import { type Archive, openArchive } from './open-archive.ts'
import { damaged, type SharedText, unescaped, UnreadableCell } from './read-cell.ts'
import { type Line, lineTooLong, nameOfCell, readSheet } from './read-sheet.ts'
import { readWorkbook, type Workbook } from './read-workbook.ts'
import { noWorkbook, readXml } from './read-xml.ts'

type Cell = string | Date | UnreadableCell

/**
 * Reads a sheet of a workbook, the first one unless named: its first line has the names of columns. Numbers become texts
 * without exponent, truth values `true` and `false`, formulas what they last came to; dates stay dates. `stopsAt`: only so
 * many lines are wanted, and the rest is not read. Throws Invalid.
 */
export async function readXlsx(bytes: Buffer, sheet?: string, stopsAt?: number): Promise<FileTable> {
  const archive = openArchive(bytes)
  const workbook = await readWorkbook(archive)
  const names = workbook.sheets.map(({ name }) => name)
  const found = sheet === undefined ? workbook.sheets[0] : workbook.sheets.find(({ name }) => name === sheet)
  if (!found && sheet === undefined) throw noWorkbook('The workbook has no sheet with a table.')
  if (!found)
    throw new Invalid({
      sheet: [
        `There is no sheet ${shown(sheet ?? '')}.${didYouMean(sheet ?? '', names)} The workbook has: ${listed(names)}.`,
      ],
    })
  const lines = await readSheet(archive, found.path, workbook, {
    most: stopsAt ?? maxImportFileRows,
    stops: stopsAt !== undefined,
  })
  const [head, ...rest] = await withSharedTexts(archive, workbook, lines)
  if (!head) throw noWorkbook('The sheet is empty: its first line must have the names of columns.')
  const columns = columnsOf(head)
  return { columns, rows: rest.map((line) => rowOf(columns, line)), sheets: names, sheet: found.name, coerce: true }
}

/** The lines with the texts that their cells share, each of which may stand in very many. */
async function withSharedTexts(
  archive: Archive,
  { sharedTexts }: Workbook,
  lines: readonly Line[],
): Promise<Line<Cell>[]> {
  const wanted = new Set(lines.flatMap(({ values }) => values.filter((value) => typeof value === 'number')))
  const texts =
    sharedTexts === undefined || wanted.size === 0
      ? new Map<SharedText, string>()
      : await readSharedTexts(archive, sharedTexts, wanted)
  const nextTurn = createTurns()
  const read: Line<Cell>[] = []
  let characters = 0
  for (const { number, columns, values } of lines) {
    await nextTurn()
    const cells = values.map((value, at): Cell =>
      typeof value === 'number'
        ? (texts.get(value) ?? damaged(nameOfCell(columns[at] as number, number), `text ${value}`))
        : value,
    )
    const ofLine = cells.reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
    if (ofLine > maxCsvLineBytes) throw lineTooLong(number)
    characters += ofLine
    if (characters > maxImportFileCharacters)
      throw noWorkbook(
        `The sheet holds more than ${maxImportFileCharacters / 1024 / 1024} million characters. Divide it.`,
      )
    if (cells.some((cell) => cell !== '')) read.push({ number, columns, values: cells })
  }
  return read
}

/** The names of columns, up to the last one that has a name. */
function columnsOf({ columns, values }: Line<Cell>): readonly string[] {
  const names: string[] = Array.from({ length: (columns.at(-1) ?? 0) + 1 }, () => '')
  for (const [at, cell] of values.entries()) {
    if (cell instanceof UnreadableCell) throw noWorkbook(cell.message)
    names[columns[at] as number] = cell instanceof Date ? cell.toISOString().slice(0, 10) : cell
  }
  return readHeader(names.slice(0, names.findLastIndex((name) => name.trim() !== '') + 1))
}

function rowOf(names: readonly string[], { columns, values }: Line<Cell>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    values.flatMap((cell, at) => {
      if (cell === '') return []
      const column = columns[at] as number
      const name = names[column]
      if (name === undefined)
        throw new Invalid({ body: [`Column ${column + 1} has no name in the first line of the file.`] })
      return [[name, cell]]
    }),
  )
}

/** Reads texts that cells share, by their numbers: those that are wanted, and not beyond the last of them. Throws Invalid. */
async function readSharedTexts(
  archive: Archive,
  path: string,
  wanted: ReadonlySet<SharedText>,
): Promise<Map<SharedText, string>> {
  const found = new Map<SharedText, string>()
  let next = 0
  let text: string | undefined
  let isText = false
  let isPhonetic = false
  await readXml(archive.read(path), {
    isDone: () => found.size === wanted.size,
    open(name) {
      if (name === 'si') text = wanted.has(next) ? '' : undefined
      else if (name === 't') isText = !isPhonetic
      else if (name === 'rPh') isPhonetic = true
    },
    text(piece) {
      if (!isText || text === undefined) return
      text += piece
      if (text.length > maxCsvLineBytes)
        throw noWorkbook(`A text of the workbook is longer than ${maxCsvLineBytes / 1024 / 1024} MB. Shorten it.`)
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
      if (name !== 'si') return
      if (text !== undefined) found.set(next, unescaped(text))
      next += 1
      text = undefined
      if (next > maxWorkbookTexts)
        throw noWorkbook(`The workbook has more than ${maxWorkbookTexts} texts. Divide it, or save the sheet as CSV.`)
    },
  })
  return found
}
