import fc from 'fast-check'
import readWorkbook from 'read-excel-file/universal'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { maxImportFileRows } from '../../../../../../shared/kernel/limits/imports.ts'
import { UnreadableCell } from '../../../../../../shared/operations/import-export/import-file/xlsx/read-cell.ts'
import { readXlsx } from '../../../../../../shared/operations/import-export/import-file/xlsx/read-xlsx.ts'
import {
  cellName,
  escaped,
  sheetXml,
  textRow,
  workbook,
  workbookFiles,
  zip,
} from '../../../../../make/builders/records/workbooks.ts'
import { runs } from '../../../../../make/depth.ts'

const head = textRow(1, ['k', 'n'])
const rowsOf = async (bytes: Buffer) => (await readXlsx(bytes)).rows
const refusal = (bytes: Buffer, ...more: [string?, number?]): Promise<string> =>
  readXlsx(bytes, ...more).then(
    () => 'is read',
    (error: unknown) => (error instanceof Invalid ? Object.values(error.errors).flat().join(' ') : String(error)),
  )

describe('a workbook', () => {
  it('is read as people see it: texts, numbers, truth values, dates, what formulas came to', async () => {
    const bytes = workbook(
      `${textRow(1, ['text', 'shared', 'number', 'day', 'moment', 'is', 'formula', 'none'])}
      <row r="2"><c r="A2" t="inlineStr"><is><r><t>a</t></r><r><t> &amp; b</t></r><rPh><t>x</t></rPh></is></c><c r="B2" t="s"><v>1</v></c>
      <c r="C2"><v>0.30000000000000004</v></c><c r="D2" s="1"><v>46000</v></c><c r="E2" s="2"><v>46000.416666666664</v></c>
      <c r="F2" t="b"><v>1</v></c><c r="G2" t="str"><f>A2&amp;B2</f><v>_x0041_ &lt; B</v></c><c r="H2" s="1"/></row>`,
      {
        texts: '<si><t>no</t></si><si><r><t>sha</t></r><r><t>red</t></r><rPh><t>x</t></rPh></si>',
        formats: [14, 'dd/mm/yyyy hh:mm'],
      },
    )
    expect(await rowsOf(bytes)).toEqual([
      {
        text: 'a & b',
        shared: 'shared',
        number: '0.3',
        day: new Date('2025-12-09T00:00:00Z'),
        moment: new Date('2025-12-09T10:00:00Z'),
        is: 'true',
        formula: 'A < B',
      },
    ])
  })

  it('counts days as spreadsheets do, also before March 1900 and from 1904', async () => {
    const days = (numbers: readonly string[], from1904 = false) =>
      rowsOf(
        workbook(
          textRow(1, ['d']) +
            numbers.map((n, at) => `<row r="${at + 2}"><c r="A${at + 2}" s="1"><v>${n}</v></c></row>`).join(''),
          { formats: [14], from1904 },
        ),
      ).then((rows) =>
        rows.map((row) => {
          const { d } = row as { d: Date | UnreadableCell }
          return d instanceof Date ? d.toISOString().slice(0, 10) : d.message
        }),
      )
    expect(await days(['1', '10', '59', '61', '2958465'])).toEqual([
      '1900-01-01',
      '1900-01-10',
      '1900-02-28',
      '1900-03-01',
      '9999-12-31',
    ])
    expect(await days(['0', '1', '60'], true)).toEqual(['1904-01-01', '1904-01-02', '1904-03-01'])
    expect(await days(['60', '-1', '1e20', 'soon'])).toEqual([
      expect.stringContaining('The cell A2 holds 29 February 1900'),
      ...['A3', 'A4', 'A5'].map((cell) =>
        expect.stringMatching(new RegExp(`^The cell ${cell} holds the number .* no date`)),
      ),
    ])
  })

  it('may leave out the names of rows and cells, and have prefixes', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const rows = `<row>${cell('k')}${cell('n')}</row><row/><row>${cell('x')}<c><v>1</v></c></row><row><c r="B7"><v>2</v></c></row>`
    expect(await rowsOf(workbook(rows))).toEqual([{ k: 'x', n: '1' }, { n: '2' }])
    const prefixed = sheetXml(rows)
      .replaceAll(/<(\/?)(\w)/g, '<$1x:$2')
      .replace('xmlns=', 'xmlns:x=')
    const files = { ...workbookFiles({ sheets: { Sheet: rows } }), 'xl/worksheets/sheet1.xml': prefixed }
    expect(await rowsOf(zip(files))).toEqual([{ k: 'x', n: '1' }, { n: '2' }])
  })

  it('says of cells which hold no value, instead of leaving them out', async () => {
    const cells = '<c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B2" t="s"><v>7</v></c>'
    const [row] = (await rowsOf(workbook(`${head}<row r="2">${cells}</row>`, { texts: '<si><t>a</t></si>' }))) as [any]
    expect(row.k).toMatchObject({
      cell: 'A2',
      shown: '#DIV/0!',
      message: expect.stringContaining('The cell A2 holds the error #DIV/0!'),
    })
    expect(row.n).toMatchObject({ cell: 'B2' })
  })

  it('is read by the name of a sheet, of those that hold a table', async () => {
    const bytes = zip(workbookFiles({ sheets: { One: textRow(1, ['a']), Two: head + textRow(2, ['x', 'y']) } }))
    expect(await readXlsx(bytes, 'Two')).toMatchObject({
      sheets: ['One', 'Two'],
      sheet: 'Two',
      rows: [{ k: 'x', n: 'y' }],
    })
    expect(await refusal(bytes, 'Tw')).toBe('There is no sheet Tw. Did you mean Two? The workbook has: One, Two.')
  })

  it('lays nothing out: lines far away, and empty ones, cost nothing', async () => {
    const far = `${head}<row r="1048576"><c r="B1048576"><v>1</v></c></row>`
    expect(await rowsOf(workbook(far))).toEqual([{ n: '1' }])
    const empty = Array.from({ length: 100_000 }, (_, at) => `<row r="${at + 2}" s="1"><c r="A${at + 2}" s="1"/></row>`)
    expect(await rowsOf(workbook(head + empty.join('') + textRow(100_002, ['x'])))).toEqual([{ k: 'x' }])
  })

  it('is read no further than is wanted', async () => {
    const lines = Array.from({ length: 12 }, (_, at) => textRow(at + 2, [`k${at}`, 'x']))
    const bytes = workbook(`${head}${lines.join('')}<row r="3"><c r="XFD3"><v>1</v></c>`)
    expect((await readXlsx(bytes, undefined, 10)).rows).toHaveLength(10)
    expect(await refusal(bytes)).toContain('stands at the wrong place')
  })

  it.each<[string, () => Buffer, string]>([
    [
      'a cell far to the right',
      () => workbook(`${head}<row r="2"><c r="XFD2"><v>1</v></c></row>`),
      'The cell XFD2 is in column 16384, and a file may have 1000.',
    ],
    [
      'a million columns',
      () => workbook(`<row>${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`),
      'The cell ALM1 is in column 1001',
    ],
    [
      'a column without a name',
      () => workbook(`${head}<row r="2"><c r="C2"><v>1</v></c></row>`),
      'Column 3 has no name',
    ],
    [
      'too many lines',
      () => workbook(head + '<row><c><v>1</v></c></row>'.repeat(maxImportFileRows + 1)),
      `more than ${maxImportFileRows} lines`,
    ],
    [
      'a text that many cells share',
      () =>
        workbook(head + '<row><c t="s"><v>0</v></c></row>'.repeat(80), {
          texts: `<si><t>${'x'.repeat(1_000_000)}</t></si>`,
        }),
      'more than 64 million characters',
    ],
    [
      'a text without end',
      () =>
        workbook(`${head}<row r="2"><c r="A2" t="s"><v>0</v></c></row>`, {
          texts: `<si><t>${'&amp;'.repeat(2_000_000)}</t></si>`,
        }),
      'longer than 1 MB',
    ],
    [
      'a line without end',
      () => workbook(`${head}<row r="2"><c r="A2" t="str"><v>${'&#120;'.repeat(2_000_000)}</v></c></row>`),
      'Line 2 of the sheet holds more than 1 MB',
    ],
    [
      'attributes without end',
      () => workbook(`${head}<row ${Array.from({ length: 300 }, (_, at) => `a${at}=""`).join(' ')}/>`),
      'too many attributes',
    ],
    ['elements in each other', () => workbook(`${head}${'<row>'.repeat(1000)}`), 'nested too deeply'],
    [
      'XML that ends early',
      () => zip({ ...workbookFiles({ sheets: { S: '' } }), 'xl/worksheets/sheet1.xml': sheetXml(head).slice(0, 200) }),
      'not complete',
    ],
    [
      'lines in disorder',
      () => workbook(`${textRow(5, ['k'])}${textRow(2, ['x'])}`),
      'its line 2 stands at the wrong place',
    ],
    [
      'cells in disorder',
      () => workbook(`${head}<row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row>`),
      'the cell A2 stands at the wrong place',
    ],
    ['a cell that is none', () => workbook(`${head}<row r="2"><c r="2B"><v>1</v></c></row>`), '2B is no cell'],
    ['no lines', () => workbook('<row r="1"/>'), 'The sheet is empty'],
    ['no sheets', () => zip({ 'a.xml': '' }), 'it holds no sheets'],
    ['nothing', () => Buffer.alloc(0), 'archive is damaged'],
    ['a text', () => Buffer.from('k,n\n1,2\n'), 'archive is damaged'],
    [
      'an older workbook',
      () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      'Save it as .xlsx',
    ],
    ['a bomb', () => zip(workbookFiles({ sheets: { S: ' '.repeat(70 * 1024 * 1024) } })), 'more than 64 MB unpacked'],
    [
      'a bomb that lies',
      () => zip(workbookFiles({ sheets: { S: ' '.repeat(70 * 1024 * 1024) } }), 1_500),
      'archive is damaged',
    ],
  ])('with %s is refused', async (_, made, message) => {
    expect(await refusal(made())).toContain(message)
  })
})

describe('any workbook', () => {
  const formats = [
    14,
    22,
    46,
    'yyyy-mm-dd',
    '[$-409]d/m/yy h:mm AM/PM;@',
    '0.00',
    '#,##0 "days"',
    '[h]:mm:ss.000',
    '0%',
    'm\\/d',
    'General',
    '@',
  ]
  const texts = ['a', ' b ', 'c & <d>', 'ü €', 'two\nlines', '_x0041_']
  const cell = fc.oneof(
    fc.constant(''),
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => ({ xml: `<v>${n}</v>` })),
    fc
      .tuple(fc.integer({ min: 61, max: 60_000 }), fc.integer({ min: 0, max: 86_399 }), fc.nat(formats.length))
      .map(([day, second, style]) => ({ attributes: ` s="${style}"`, xml: `<v>${day + second / 86_400}</v>` })),
    fc.nat(texts.length - 1).map((at) => ({ attributes: ' t="s"', xml: `<v>${at}</v>` })),
    fc
      .constantFrom(...texts)
      .map((text) => ({ attributes: ' t="inlineStr"', xml: `<is><t>${escaped(text)}</t></is>` })),
    fc.constantFrom(...texts).map((text) => ({ attributes: ' t="str"', xml: `<f>A1</f><v>${escaped(text)}</v>` })),
    fc.boolean().map((is) => ({ attributes: ' t="b"', xml: `<v>${is ? 1 : 0}</v>` })),
    fc.constant({ attributes: ' s="1"', xml: '' }),
  )
  const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.array(cell, { maxLength: 5 })), { maxLength: 12 })
  const names = ['one', 'two', 'three', 'four', 'five']

  /** The rows as another reader has them, which lays the whole sheet out. */
  async function layOut(bytes: Buffer): Promise<object[]> {
    const [sheet] = await readWorkbook(new Uint8Array(bytes).buffer, { parseNumber: Number, trim: false })
    const [, ...lines] = (sheet?.data ?? []).filter((cells) => cells.some((one) => one !== null))
    return lines.map((cells) =>
      Object.fromEntries(cells.flatMap((one, at) => (one === null ? [] : [[names[at] as string, one]]))),
    )
  }
  const comparable = (value: unknown): unknown =>
    value instanceof Date
      ? Math.round(value.getTime() / 1000)
      : typeof value === 'boolean'
        ? String(value)
        : typeof value === 'number'
          ? Number(value.toPrecision(15))
          : value

  it('has the rows that another reader finds in it', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (given, from1904) => {
        let line = 1
        const xml = given.map(([gap, cells]) => {
          line += gap
          return `<row r="${line}">${cells.map((one, at) => (one === '' ? '' : `<c r="${cellName(at, line)}"${'attributes' in one ? one.attributes : ''}>${one.xml}</c>`)).join('')}</row>`
        })
        const bytes = workbook(textRow(1, names) + xml.join(''), {
          formats,
          from1904,
          texts: texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join(''),
        })
        const [read, laidOut] = [await rowsOf(bytes), await layOut(bytes)]
        const expected = laidOut.map((row) => Object.entries(row).map(([name, value]) => [name, comparable(value)]))
        expect(
          read.map((row) =>
            Object.entries(row as object).map(([name, value], at) => {
              const is = expected[read.indexOf(row)]?.[at]?.[1]
              return [name, typeof is === 'number' && typeof value === 'string' ? Number(value) : comparable(value)]
            }),
          ),
        ).toEqual(expected)
      }),
      { numRuns: runs(300, 60) },
    )
  })
})
