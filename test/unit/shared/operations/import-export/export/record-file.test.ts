import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListedRecord } from '../../../../../../shared/lists/query/schema.ts'
import { exportColumns, titleFields } from '../../../../../../shared/operations/import-export/export/export-columns.ts'
import type { XlsxState } from '../../../../../../shared/operations/import-export/export/file-types.ts'
import { recordFile } from '../../../../../../shared/operations/import-export/export/record-file.ts'
import { readCsv } from '../../../../../../shared/operations/import-export/import/read-csv.ts'
import type { Table } from '../../../../../../shared/tables/tables/table.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { readZip } from '../../../../../make/services/unzip.ts'

const table = tableOf(1, 'notes', [
  { name: 'title', type: 'text' },
  { name: 'amount', type: 'float' },
])
const clients = tableOf(2, 'clients', [{ name: 'name', label: 'Name', type: 'text' }])
const every = tableOf(3, 'every', [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'done', label: 'Done', type: 'boolean' },
  { name: 'due', label: 'Due', type: 'date' },
  { name: 'at', label: 'At', type: 'datetime' },
  {
    name: 'source',
    label: 'Source',
    type: 'value_list',
    options: [{ slug: 'mail', label: 'By mail' }, { slug: 'phone' }],
  },
  { name: 'client_id', label: 'Client', type: 'model_list', target_table: 'clients' },
  { name: 'owner', label: 'Owner', type: 'user' },
  { name: 'place', label: 'Place', type: 'point' },
])
const targets = new Map([['clients', clients]])
const options = {
  labels: false,
  timeZone: 'Europe/Vienna',
  title: 'Every [thing]',
  beganAt: new Date('2026-11-23T10:00:00Z'),
}
const columnsOf = (of: Table, fields?: readonly string[] | null, readable?: ReadonlySet<string>) =>
  exportColumns({ table: of, targets, readable }, fields)
const csv = (fields?: readonly string[] | null, readable?: ReadonlySet<string>) => {
  const file = recordFile(columnsOf(table, fields, readable), { ...options, format: 'csv' })
  return { head: file.head() as string, lines: (records: readonly ListedRecord[]) => file.add(records) as string }
}
const record = (title: unknown, amount: unknown = null) => ({
  id: 1,
  created_by: 2,
  created_at: 'c',
  updated_by: 3,
  updated_at: 'u',
  version: 4,
  data: { title, amount },
})

describe('records as CSV', () => {
  it('have a column for every field and the standard ones, id first', () => {
    expect(csv().head).toBe('id,title,amount,created_by,created_at,updated_by,updated_at,version\r\n')
    expect(csv().lines([record('x', -1.5)])).toBe('1,x,-1.5,2,c,3,u,4\r\n')
  })

  it('have the selected columns, once each, in their order', () => {
    const writer = csv(['amount', ' id', 'owner.name', 'amount', 'version'])
    expect(writer.head).toBe('id,amount,owner.name,version\r\n')
    expect(writer.lines([{ ...record('x', 2), expanded: { owner: { id: 7, name: 'Ada' } } }])).toBe('1,2,Ada,4\r\n')
    expect(writer.lines([{ ...record('x', 2), expanded: { owner: null } }])).toBe('1,2,,4\r\n')
  })

  it('have no column for a field that the reader may not see, asked for or not', () => {
    const readable = new Set(['title'])
    expect(csv(null, readable).head).toBe('id,title,created_by,created_at,updated_by,updated_at,version\r\n')
    expect(csv(['amount', 'title', 'version'], readable).head).toBe('id,title,version\r\n')
  })

  it.each([['=1+1'], ['+49 30'], ['-x'], ['@sum'], ['\tx'], ['＝1']])('prefix %j with an apostrophe', (text) => {
    expect(parse(csv(['title']).lines([record(text)]))[0]?.[1]).toBe(`'${text}`)
  })

  it.each([["'=1+1"], ['=1+1'], ["'-5"], ['-5'], ["''@x"], ["''"], ["'abc"]])(
    'are read back unchanged by an import: %s',
    async (text) => {
      const writer = csv(['title'])
      const { rows } = await readCsv(Buffer.from(writer.head + writer.lines([record(text)])))
      expect(rows).toEqual([{ id: '1', title: text }])
    },
  )

  it('are read back unchanged by an RFC 4180 parser', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => text !== '' && !/^'*[=+\-@\t\r＝＋－＠]/.test(text)),
        (text) => {
          expect(parse(csv(['title']).lines([record(text)]), { record_delimiter: '\r\n' })).toEqual([['1', text]])
        },
      ),
    )
  })
})

it('records as NDJSON are one per line', () => {
  const file = recordFile(columnsOf(table), { ...options, format: 'ndjson' })
  expect(
    (file.add([record('two\nlines'), record('x')]) as string)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).data.title),
  ).toEqual(['two\nlines', 'x'])
})

const whole = {
  ...record('=1+1'),
  created_at: '2026-07-01T22:30:00.000Z',
  updated_at: '2026-11-20T07:17:00.000Z',
  data: {
    title: '=1+1 & <b> \u0007 _x0041_',
    done: true,
    due: '2026-11-20',
    at: '1800-01-01T00:00:00.000Z',
    source: 'mail',
    client_id: 7,
    owner: 3,
    place: { lat: 1, lng: 2 },
  },
  expanded: { client_id: { id: 7, data: { name: 'Ann' } }, owner: null },
}

it('labels take the place of names, slugs, ids and UTC', () => {
  const fields = ['source', 'client_id', 'owner', 'created_at', 'client_id.name', 'done']
  expect(titleFields({ table: every, targets }, fields)).toEqual(['client_id.name', 'owner.name'])
  const file = recordFile(columnsOf(every, fields), { ...options, format: 'csv', labels: true })
  expect(file.head()).toBe('ID,Source,Client,Owner,Created at,Client: Name,Done\r\n')
  expect(file.add([whole])).toBe('1,By mail,Ann,3,2026-07-02 00:30:00,Ann,true\r\n')
})

describe('a workbook', () => {
  const fields = ['title', 'done', 'due', 'at', 'updated_at', 'source', 'client_id', 'place']
  const open = (state?: XlsxState | null, labels = false) =>
    recordFile(columnsOf(every, fields), { ...options, format: 'xlsx', labels }, state)
  const sheetOf = (pieces: readonly (string | Buffer)[]): string =>
    String(readZip(Buffer.concat(pieces.map((piece) => Buffer.from(piece)))).get('xl/worksheets/sheet1.xml'))

  it('has typed cells, and texts that stay texts', () => {
    const file = open()
    const sheet = sheetOf([file.head(), file.add([whole]), file.tail()])
    const cells = [...sheet.matchAll(/<c r="([A-Z]+2)"(.*?)<\/c>/g)].map(([, at, rest]) => [at, rest])
    expect(cells).toEqual([
      ['A2', '><v>1</v>'],
      ['B2', ' t="inlineStr"><is><t xml:space="preserve">=1+1 &amp; &lt;b&gt; _x0007_ _x005F_x0041_</t></is>'],
      ['C2', ' t="b"><v>1</v>'],
      ['D2', ' s="2"><v>46346</v>'],
      ['E2', ' t="inlineStr"><is><t xml:space="preserve">1800-01-01T00:00:00.000Z</t></is>'],
      ['F2', ` s="3"><v>${46346 + (8 * 60 + 17) / 1440}</v>`],
      ['G2', ' t="inlineStr"><is><t xml:space="preserve">mail</t></is>'],
      ['H2', '><v>7</v>'],
      ['I2', ' t="inlineStr"><is><t xml:space="preserve">{&quot;lat&quot;:1,&quot;lng&quot;:2}</t></is>'],
    ])
    expect(sheet).toContain('<autoFilter ref="A1:I2"/>')
  })

  it('has labels and titles when asked for them', () => {
    const file = open(null, true)
    const sheet = sheetOf([file.head(), file.add([whole]), file.tail()])
    for (const text of ['Updated at', 'By mail', 'Ann']) expect(sheet).toContain(`>${text}</t>`)
  })

  it('is the same when each piece is written by another process', () => {
    const together = open()
    const records = Array.from({ length: 30 }, (_, n) => ({ ...whole, id: n + 1 }))
    const pieces = [together.head(), ...records.map((one) => together.add([one])), together.tail()]
    let file = open()
    const apart = [file.head()]
    const next = () => (file = open(JSON.parse(JSON.stringify(file.state()))))
    for (const one of records) apart.push(next().add([one]))
    apart.push(next().tail())
    expect(Buffer.concat(apart as Buffer[])).toEqual(Buffer.concat(pieces as Buffer[]))
    expect(sheetOf(apart).match(/<row /g)).toHaveLength(31)
  })

  it('refuses what a sheet does not hold, and says what to do', () => {
    const long = { ...whole, data: { ...whole.data, title: 'x'.repeat(32_768) } }
    expect(() => open().add([long])).toThrow(
      expect.objectContaining({
        errors: {
          format: [
            'The title of record 1 has 32,768 characters, and a cell of xlsx holds 32,767. Leave the field out with fields=..., or use csv.',
          ],
        },
      }),
    )
    const full = { rows: 1_048_575, crc: 0, sizeBytes: 0, packedBytes: 0 }
    expect(() => open(full).add([whole])).toThrow(
      expect.objectContaining({
        errors: {
          format: [
            'A sheet of xlsx holds 1,048,575 records, and the list has 1,048,576. Narrow the filter, or use csv.',
          ],
        },
      }),
    )
  })
})
