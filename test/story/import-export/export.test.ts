import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exportOf as exportFrom,
  importRows as importInto,
  makeExportedTables,
} from '../../make/builders/lists/exported-tables.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'
import { readZip } from '../../make/services/unzip.ts'

let service: TestService
const importRows = (model: string, rows: object[]) => importInto(service, model, rows)
const exportOf = (model: string, query?: string, token?: string) => exportFrom(service, model, query, token)
const csvOf = (text: string): string[][] => parse(text)

beforeAll(async () => {
  service = await sharedService()
  await makeExportedTables(service)
})
afterAll(() => service?.stop())

describe('an export', () => {
  it('as CSV has a header line, id first, and one line per record', async () => {
    const { status, headers, body } = await exportOf('requests', '?sort=id')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="requests.csv"')
    const [names, first, ...rest] = csvOf(body)
    expect(names).toEqual([
      'id',
      'title',
      'priority',
      'code',
      'source',
      'status',
      'client_id',
      'note',
      'created_by',
      'created_at',
      'updated_by',
      'updated_at',
      'version',
    ])
    expect(first?.slice(0, 8)).toEqual(['1', 'Request 0', '1', '', 'mail', 'new', '1', ''])
    expect(rest).toHaveLength(1199)
    expect(body.split('\r\n')).toHaveLength(1202)
  })

  it('as NDJSON has one line per record', async () => {
    const { headers, body } = await exportOf('clients', '?format=ndjson&sort=id')
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="clients.ndjson"')
    const records = (body as string)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records).toMatchObject([
      { id: 1, version: 1, data: { name: 'Ann' } },
      { id: 2, data: { name: 'Bob' } },
    ])
  })

  it('takes the same query as a list', async () => {
    const filter = encodeURIComponent(JSON.stringify({ source: 'mail', priority: { _gte: 4 } }))
    const { body } = await exportOf(
      'requests',
      `?filter=${filter}&sort=-priority,id&fields=title,priority,client_id.name`,
    )
    const [names, ...rows] = csvOf(body)
    expect(names).toEqual(['id', 'title', 'priority', 'client_id.name'])
    expect(rows).toHaveLength(240)
    expect(rows[0]).toEqual(['5', 'Request 4', '5', 'Ann'])
    expect(rows.at(-1)?.[2]).toBe('4')
  })

  it('quotes as RFC 4180 says, and disarms cells that a spreadsheet would run as formulas', async () => {
    const texts = [
      'a,b',
      'say "hi"',
      'two\r\nlines',
      'a\nb',
      'a\rb',
      '\rx',
      '=1+1',
      '+49',
      '-x',
      '@cmd',
      '\tx',
      'plain',
      '',
    ]
    await importRows('notes', [
      ...texts.map((text) => ({ text })),
      { amount: -5.5, done: false, place: { lat: 1, lng: 2 } },
    ])
    const { body } = await exportOf('notes', '?sort=id&fields=text,amount,place,done')
    const rows = csvOf(body).slice(1)
    expect(rows.slice(0, 13).map((row) => row[1])).toEqual([
      'a,b',
      'say "hi"',
      'two\r\nlines',
      'a\nb',
      'a\rb',
      "'\rx",
      "'=1+1",
      "'+49",
      "'-x",
      "'@cmd",
      "'\tx",
      'plain',
      '',
    ])
    expect(rows[13]).toEqual(['14', '', '-5.5', '{"lat":1,"lng":2}', 'false'])
    for (const quoted of ['"say ""hi"""', '"a\nb"', '"a\rb"', '"\'\rx"']) expect(body).toContain(quoted)
  })

  it('requires read permission, an existing table and a valid query', async () => {
    const maker = await userWith(service, ['requests.create'])
    expect((await exportOf('requests', '', maker.token)).status).toBe(403)
    expect((await exportOf('requests', '?format=xml')).status).toBe(422)
    expect((await exportOf('requests', '?sort=nothing')).status).toBe(422)
    expect((await exportOf('requests', '?filter={')).status).toBe(400)
    expect((await exportOf('nothing')).status).toBe(404)
  })

  it('of a table without records is the header line', async () => {
    await makeTable(service, 'empty', [{ name: 'name', type: 'text' }])
    expect((await exportOf('empty', '?fields=name')).body).toBe('id,name\r\n')
  })

  it('shows labels and titles, as a grid filters and sorts it', async () => {
    const body = {
      labels: true,
      fields: ['title', 'source', 'client_id', 'created_by'],
      startRow: 0,
      endRow: 100,
      filterModel: {
        'data.title': { filterType: 'text', type: 'startsWith', filter: 'REQUEST 119' },
        'data.priority': { filterType: 'number', type: 'inRange', filter: 1, filterTo: 4 },
      },
      sortModel: [{ colId: 'data.priority', sort: 'desc' }],
      rowGroupCols: [{ id: 'data.source', field: 'data.source' }],
      valueCols: [{ id: 'data.priority', field: 'data.priority', aggFunc: 'avg' }],
      groupKeys: [],
    }
    const post = (more: object) =>
      service.api('POST', '/api/e/requests/export', { token: service.admin.token, body: { ...body, ...more } })
    const [names, ...rows] = csvOf((await post({})).body)
    expect(names).toEqual(['ID', 'Title', 'source', 'client_id', 'Created by'])
    expect(rows.map(([id, title, source, client]) => [id, title, source, client])).toEqual([
      ['1193', 'Request 1192', 'mail', 'Ann'],
      ['1197', 'Request 1196', 'mail', 'Ann'],
      ['1198', 'Request 1197', 'phone', 'Bob'],
      ['1192', 'Request 1191', 'phone', 'Bob'],
    ])
    expect(rows[0]?.[4]).toBe('Grace Hopper')
    expect(csvOf((await post({ groupKeys: ['phone'] })).body)).toHaveLength(3)
    const refused = await post({ format: 'ndjson', filterModel: { nothing: { filterType: 'text', type: 'blank' } } })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['filterModel.nothing']])
    expect((await post({ format: 'ndjson' })).body.errors.labels[0]).toMatch(/csv and xlsx/)
  })

  it('as XLSX is a workbook with a row for each record, typed', async () => {
    const answer = await fetch(`${service.url}/api/e/notes/export?format=xlsx&sort=id&fields=text,amount,done`, {
      headers: { authorization: `Bearer ${service.admin.token}` },
    })
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'attachment; filename="notes.xlsx"',
    ])
    const entries = readZip(Buffer.from(await answer.arrayBuffer()))
    expect([...entries.keys()]).toContain('[Content_Types].xml')
    const rows = String(entries.get('xl/worksheets/sheet1.xml')).split('<row ').slice(1)
    expect(rows).toHaveLength(15)
    expect(rows[7]).toContain('>=1+1</t>')
    expect(rows[14]).toContain('<c r="C15"><v>-5.5</v></c><c r="D15" t="b"><v>0</v></c>')
  })
})
