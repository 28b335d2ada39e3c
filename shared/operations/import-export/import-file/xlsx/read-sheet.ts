import type { Invalid } from '../../../../kernel/failures/faults.ts'
import {
  maxCsvColumns,
  maxCsvLineBytes,
  maxImportFileCells,
  maxImportFileLines,
} from '../../../../kernel/limits/imports.ts'
import { shown } from '../../../../kernel/text/did-you-mean.ts'
import type { Archive } from './open-archive.ts'
import { type CellValue, type NumberMeaning, type RawCell, readCell } from './read-cell.ts'
import { brokenWorkbook, noWorkbook, readXml } from './read-xml.ts'

/** A line of a sheet: the cells that hold something, and their columns, counted from 0. */
export interface Line<Value = CellValue> {
  readonly number: number
  readonly columns: number[]
  readonly values: Value[]
}

const lettersInAlphabet = 26

/**
 * Reads the lines of a sheet that hold something, one after the other; nothing is laid out, so a cell far away costs no more
 * than any other. `most`: of more lines than these, without the first, it throws, or with `stops` reads no further. Throws
 * Invalid.
 */
export async function readSheet(
  archive: Archive,
  path: string,
  meaning: NumberMeaning,
  { most, stops }: { readonly most: number; readonly stops: boolean },
): Promise<Line[]> {
  const lines: Line[] = []
  let cells = 0
  let isInside = false
  let isDone = false
  let line: Line | undefined
  let lineNumber = 0
  let columnNumber = 0
  let characters = 0
  let cell: Mutable<RawCell> | undefined
  let at: 'value' | 'inline' | undefined
  let isPhonetic = false

  function endCell(): void {
    const value = cell && readCell(cell, meaning)
    if (!cell || !line || value === undefined) return
    cells += 1
    if (columnNumber > maxCsvColumns)
      throw noWorkbook(
        `The cell ${cell.name} is in column ${columnNumber}, and a file may have ${maxCsvColumns}. Clear what is far from the table, or divide the sheet.`,
      )
    if (cells > maxImportFileCells) throw noWorkbook(`The sheet has more than ${maxImportFileCells} cells. Divide it.`)
    line.columns.push(columnNumber - 1)
    line.values.push(value)
  }

  function endLine(ended: Line): void {
    if (ended.values.length === 0) return
    lines.push(ended)
    if (stops && lines.length > most) isDone = true
    if (lines.length - 1 > most)
      throw noWorkbook(`The sheet has more than ${most} lines, and a file may have ${most}. Divide it.`)
  }

  await readXml(archive.read(path), {
    isDone: () => isDone,
    open(name, attributes) {
      if (name === 'sheetData') isInside = true
      else if (!isInside) return
      else if (name === 'row') {
        lineNumber = lineOf(attributes.r, lineNumber)
        columnNumber = characters = 0
        line = { number: lineNumber, columns: [], values: [] }
      } else if (name === 'c' && line) {
        const before = columnNumber
        columnNumber = columnOf(attributes.r, before)
        cell = {
          name: attributes.r ?? nameOfCell(columnNumber - 1, lineNumber),
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
          value: undefined,
          inline: undefined,
        }
        if (columnNumber <= before) throw brokenWorkbook(`the cell ${cell.name} stands at the wrong place`)
      } else if (cell) {
        if (name === 'v') [at, cell.value] = ['value', '']
        else if (name === 't' && !isPhonetic) [at, cell.inline] = ['inline', cell.inline ?? '']
        else if (name === 'rPh') isPhonetic = true
      }
    },
    text(text) {
      if (at === undefined) return
      characters += text.length
      if (characters > maxCsvLineBytes) throw lineTooLong(lineNumber)
      if (cell && at === 'value') cell.value += text
      else if (cell && at === 'inline') cell.inline += text
    },
    close(name) {
      if (name === 'v' || name === 't') at = undefined
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c') {
        endCell()
        cell = undefined
      } else if (name === 'row' && line) {
        endLine(line)
        line = undefined
      } else if (name === 'sheetData') isDone = true
    },
  })
  return lines
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** That a line holds more than one of a CSV file may. */
export const lineTooLong = (line: number): Invalid =>
  noWorkbook(`Line ${line} of the sheet holds more than ${maxCsvLineBytes / 1024 / 1024} MB of text. Shorten it.`)

/** The number of a line, which may be left out: then it is the next one. */
function lineOf(given: string | undefined, before: number): number {
  const line = given === undefined ? before + 1 : Number(given)
  if (!Number.isInteger(line) || line <= before || line > maxImportFileLines)
    throw brokenWorkbook(`its line ${shown(String(given ?? line))} stands at the wrong place`)
  return line
}

/** The number of a column, which may be left out: then it is the next one. */
function columnOf(name: string | undefined, before: number): number {
  if (name === undefined) return before + 1
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(name)?.[1]
  if (letters === undefined) throw brokenWorkbook(`${shown(name)} is no cell`)
  return [...letters].reduce((sum, letter) => sum * lettersInAlphabet + letter.charCodeAt(0) - 64, 0)
}

/** As a sheet calls a cell. `column`: counted from 0. */
export const nameOfCell = (column: number, line: number): string => `${lettersOf(column + 1)}${line}`

function lettersOf(column: number): string {
  const before = Math.floor((column - 1) / lettersInAlphabet)
  return `${before > 0 ? lettersOf(before) : ''}${String.fromCharCode(65 + ((column - 1) % lettersInAlphabet))}`
}
