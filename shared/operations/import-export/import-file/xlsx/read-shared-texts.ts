import { maxCsvLineBytes, maxWorkbookTexts } from '../../../../kernel/limits/imports.ts'
import { noWorkbook } from './no-workbook.ts'
import type { Archive } from './open-archive.ts'
import { type SharedText, unescaped } from './read-cell.ts'
import { readXml } from './read-xml.ts'

/** Reads texts that cells share, by their numbers: those that are wanted, and not beyond the last of them. Throws Invalid. */
export async function readSharedTexts(
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
