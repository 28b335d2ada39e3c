import { escapeHtml } from '../../../../kernel/text/escape-html.ts'

export const sheetPath = 'xl/worksheets/sheet1.xml'

/** The indexes of cell formats in the styles part. */
export const styles = { head: 1, date: 2, datetime: 3 } as const

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of a workbook besides its sheet, by path (ECMA-376, part 1, 12). `title` becomes the name of the sheet. */
export const workbookParts = (title: string): readonly (readonly [path: string, xml: string])[] => [
  [
    '[Content_Types].xml',
    `${declaration}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/${sheetPath}" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  ],
  ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
  [
    'xl/workbook.xml',
    `${declaration}<workbook xmlns="${main}" xmlns:r="${office}/relationships"><sheets><sheet name="${sheetName(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
  ],
  [
    'xl/styles.xml',
    `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ],
]

const relationships = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${declaration}<Relationships xmlns="${packaged}/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${office}/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

/** A sheet's name has 31 characters at most, and none of `[]:*?/\`. */
const sheetName = (title: string): string =>
  escapeHtml(
    title
      .replaceAll(/[[\]:*?/\\\p{Cc}]/gu, ' ')
      .slice(0, 31)
      .trim()
      .replaceAll(/^'+|'+$/g, '') || 'Records',
  )
