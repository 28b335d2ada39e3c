import { crc32, deflateRawSync } from 'node:zlib'

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A ZIP file of these entries; `claims`: the size that its directory declares of each. */
export function zip(entries: Readonly<Record<string, string | Buffer>>, claims?: number): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(entries)) {
    const packed = deflateRawSync(content)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(crc32(content), 14)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(claims ?? Buffer.byteLength(content), 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    head.copy(entry, 6, 4, 30)
    entry.writeUInt32LE(offset, 42)
    pieces.push(head, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  for (const at of [8, 10]) end.writeUInt16LE(Object.keys(entries).length, at)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, listed, end])
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const schemas = 'http://schemas.openxmlformats.org'
const main = `${schemas}/spreadsheetml/2006/main`
const relations = `${schemas}/officeDocument/2006/relationships`
const packageRelations = `${schemas}/package/2006/relationships`

export interface WorkbookParts {
  /** The XML of the rows of each sheet. */
  readonly sheets: Readonly<Record<string, string>>
  /** The XML of its shared strings: `<si>` elements. */
  readonly texts?: string
  /** Format codes of its styles beside the first one, or numbers of those that are built in. */
  readonly formats?: readonly (string | number)[]
  readonly from1904?: boolean
}

/** The files of a workbook as a spreadsheet saves it. */
export function workbookFiles({ sheets, texts, formats = [], from1904 }: WorkbookParts): Record<string, string> {
  const names = Object.keys(sheets)
  const own = formats.flatMap((format, at) => (typeof format === 'string' ? [{ id: 164 + at, format }] : []))
  const idOf = (format: string | number, at: number): number => (typeof format === 'string' ? 164 + at : format)
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="${schemas}/package/2006/content-types"/>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}">${from1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packageRelations}">${names.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="s" Type="${relations}/styles" Target="styles.xml"/>${texts === undefined ? '' : `<Relationship Id="t" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/>`}</Relationships>`,
    'xl/styles.xml': `${declaration}<styleSheet xmlns="${main}"><numFmts count="${own.length}">${own.map(({ id, format }) => `<numFmt numFmtId="${id}" formatCode="${escaped(format)}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0" xfId="0"/>${formats.map((format, at) => `<xf numFmtId="${idOf(format, at)}" xfId="0" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    ...(texts !== undefined && { 'xl/sharedStrings.xml': `${declaration}<sst xmlns="${main}">${texts}</sst>` }),
    ...Object.fromEntries(
      names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheets[name] as string)]),
    ),
  }
}

export const sheetXml = (rows: string): string =>
  `${declaration}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`

/** A workbook of one sheet, from the XML of its rows. */
export const workbook = (rows: string, parts: Omit<WorkbookParts, 'sheets'> = {}): Buffer =>
  zip(workbookFiles({ sheets: { Sheet: rows }, ...parts }))

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A row of cells that hold their texts themselves. */
export const textRow = (number: number, texts: readonly string[]): string =>
  `<row r="${number}">${texts.map((text, at) => `<c r="${cellName(at, number)}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`).join('')}</row>`

/** `column`: counted from 0. */
export const cellName = (column: number, row: number): string => {
  const letters = (one: number): string =>
    one < 0 ? '' : letters(Math.floor(one / 26) - 1) + String.fromCharCode(65 + (one % 26))
  return `${letters(column)}${row}`
}
