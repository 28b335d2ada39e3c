import { posix } from 'node:path'
import { maxWorkbookEntries } from '../../../../kernel/limits/imports.ts'
import type { Archive } from './open-archive.ts'
import { isDateFormat, type NumberMeaning, unescaped } from './read-cell.ts'
import { attributeOf, brokenWorkbook, noWorkbook, readXml } from './read-xml.ts'

/** What a workbook says of its sheets. */
export interface Workbook extends NumberMeaning {
  readonly sheets: readonly { readonly name: string; readonly path: string }[]
  /** The file with the texts that cells share. */
  readonly sharedTexts: string | undefined
}

/** As many as a spreadsheet allows. */
const maxStyles = 65_490

/** Reads which sheets a workbook has, and what numbers mean in it. Throws Invalid. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const [main] = (await relationsOf(archive, '')).filter(({ type }) => type === 'officeDocument')
  const path = main?.path ?? 'xl/workbook.xml'
  if (!archive.has(path))
    throw noWorkbook('The file is no workbook in XLSX: it holds no sheets. Save it as .xlsx, or as CSV.')
  const relations = await relationsOf(archive, path)
  const pathOf = (type: string): string | undefined =>
    relations.find((one) => one.type === type && archive.has(one.path))?.path
  const sheetPaths = new Map(relations.flatMap((one) => (one.type === 'worksheet' ? [[one.id, one.path]] : [])))
  const sheets: { name: string; path: string }[] = []
  let from1904: boolean | undefined
  await readXml(archive.read(path), {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 ??= isTrue(attributeOf(attributes, 'date1904'))
      if (name !== 'sheet') return
      const sheet = sheetPaths.get(attributeOf(attributes, 'id') ?? '')
      // A sheet may also be a chart, which is no table.
      if (sheet !== undefined && archive.has(sheet))
        sheets.push({ name: unescaped(attributes.name ?? ''), path: sheet })
      if (sheets.length > maxWorkbookEntries) throw brokenWorkbook('it has too many sheets')
    },
    close() {},
  })
  const styles = pathOf('styles')
  return {
    sheets,
    from1904: from1904 ?? false,
    isDate: styles === undefined ? [] : await readStyles(archive, styles),
    sharedTexts: pathOf('sharedStrings'),
  }
}

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true'

/** The files that a file refers to. The last step of a type says what it is: the standard has two addresses for each. */
async function relationsOf(archive: Archive, path: string) {
  const folder = posix.dirname(path)
  const list = posix.join(folder, '_rels', `${posix.basename(path)}.rels`)
  const relations: { readonly id: string; readonly type: string; readonly path: string }[] = []
  if (!archive.has(list)) return relations
  await readXml(archive.read(list), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return
      const full = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), path: full })
      if (relations.length > 2 * maxWorkbookEntries) throw brokenWorkbook('it refers to too many files')
    },
    close() {},
  })
  return relations
}

/** Which styles show numbers as moments, by their number. */
async function readStyles(archive: Archive, path: string): Promise<boolean[]> {
  const formats = new Map<number, string>()
  const [bases, styles]: [number[], number[]] = [[], []]
  let list: number[] | undefined
  await readXml(archive.read(path), {
    open(name, { numFmtId: format, formatCode: code = '', xfId: base }) {
      if (name === 'numFmt') formats.set(Number(format), code)
      else if (name === 'cellStyleXfs') list = bases
      else if (name === 'cellXfs') list = styles
      else if (name === 'xf') list?.push(Number(format ?? bases[Number(base)] ?? 0))
      if (bases.length + styles.length + formats.size > 2 * maxStyles) throw brokenWorkbook('it has too many styles')
    },
    close(name) {
      if (name === 'cellStyleXfs' || name === 'cellXfs') list = undefined
    },
  })
  const known = new Map<number, boolean>()
  return styles.map((format) => {
    if (!known.has(format)) known.set(format, isDateFormat(format, formats.get(format)))
    return known.get(format) === true
  })
}
