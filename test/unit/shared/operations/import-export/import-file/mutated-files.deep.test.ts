import fc from 'fast-check'
import { it } from 'vitest'
import { Fault } from '../../../../../../shared/kernel/failures/faults.ts'
import { readFileTable } from '../../../../../../shared/operations/import-export/import-file/file-table.ts'
import { mapRows } from '../../../../../../shared/operations/import-export/import-file/map-columns.ts'
import { readCells } from '../../../../../../shared/operations/import-export/import/read-cells.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { textRow, workbookFiles, zip } from '../../../../../make/builders/records/workbooks.ts'
import { runs } from '../../../../../make/depth.ts'

/** What is put in the place of a piece of a file. */
const pieces = [
  '',
  '"',
  "'",
  ',',
  ';',
  '\n',
  '\r',
  '\0',
  '\ufeff',
  '\ud800',
  '<',
  '>',
  '/>',
  '&',
  '&#0;',
  '&#xD800;',
  '&#1114112;',
  '<![CDATA[',
  '<!--',
  '<!DOCTYPE a [<!ENTITY b "b">]>',
  '</sheetData>',
  '<row>',
  '<c>',
  '<v>',
  ' r="ZZZ99999999"',
  ' r="A1"',
  ' t="d"',
  ' t="e"',
  ' t="s"',
  ' s="1"',
  ' s="-1"',
  '-1',
  '1e400',
  'NaN',
  '99999999999999999999',
  '2026-13-45T99:99:99',
  '{"__proto__":1}',
  '[[[[',
  '1e',
]

const mutations = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 0, max: 30 }),
    piece: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8, unit: 'binary' })),
  }),
  { minLength: 1, maxLength: 4 },
)
type Mutations = typeof mutations extends fc.Arbitrary<infer T> ? T : never

const mutated = (text: string, changes: Mutations): string =>
  changes.reduce((now, { at, length, piece }) => {
    const from = Math.floor(at * now.length)
    return now.slice(0, from) + piece + now.slice(from + length)
  }, text)

const rows = `${textRow(1, ['title', 'n', 'day', 'doc'])}<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><v>3</v></c><c r="C2" s="1"><v>46000.5</v></c><c r="D2" t="e"><v>#N/A</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><r><t>a</t></r><rPh><t>b</t></rPh></is></c><c r="B3" t="b"><v>1</v></c><c r="C3" t="d"><v>2026-01-01T10:00:00</v></c><c r="D3" t="str"><f>A1</f><v>[1]</v></c></row>`
const files = workbookFiles({
  sheets: { One: rows, Two: rows },
  texts: '<si><t>x</t></si><si><t>y</t></si>',
  formats: [14],
})
const csv = 'title,n,day,doc\n"a ""b""",3,2026-01-01,"[1,2]"\n12" pipe,4,,{}\n'
const ndjson = '{"title":"a","n":3,"doc":{"a":[1,2,{"b":null}]}}\n\n{"title":"b","day":"2026-01-01"}\n'

const table = tableOf(101, 'clients', [
  { name: 'title', type: 'text' },
  { name: 'n', type: 'integer' },
  { name: 'day', type: 'date' },
  { name: 'doc', type: 'json' },
])

/** All that becomes of a file before its rows are stored. */
async function readWhole(bytes: Buffer, format: 'csv' | 'xlsx' | 'ndjson'): Promise<void> {
  for (const stopsAt of [undefined, 10])
    try {
      const file = await readFileTable(bytes, format, stopsAt === undefined ? {} : { stopsAt })
      const mapping = Object.fromEntries(file.columns.map((column) => [column, column]))
      const mapped = mapRows(table, file.rows, mapping, 'Europe/Berlin')
      JSON.stringify([file.columns, readCells(table, mapped.rows), [...mapped.unreadable]])
    } catch (error) {
      // A refusal with a reason is an answer; anything else fails the test.
      if (!(error instanceof Fault)) throw error
    }
}

it.each([
  ['csv', csv],
  ['ndjson', ndjson],
] as const)(
  'a mutated file of %s is read, or refused with a reason',
  async (format, text) => {
    await fc.assert(
      fc.asyncProperty(mutations, (changes) => readWhole(Buffer.from(mutated(text, changes)), format)),
      { numRuns: runs(20_000, 4_000) },
    )
  },
  240_000,
)

it('a workbook with a mutated part is read, or refused with a reason', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(files)), mutations, (name, changes) =>
      readWhole(zip({ ...files, [name]: mutated(files[name] as string, changes) }), 'xlsx'),
    ),
    { numRuns: runs(20_000, 4_000) },
  )
}, 240_000)

it('a workbook with mutated bytes is read, or refused with a reason', async () => {
  const whole = zip(files)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.option(fc.nat(whole.length), { nil: whole.length }),
      (changes, length) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        return readWhole(bytes.subarray(0, length), 'xlsx')
      },
    ),
    { numRuns: runs(20_000, 4_000) },
  )
}, 240_000)
