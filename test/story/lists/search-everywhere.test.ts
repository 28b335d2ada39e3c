import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const search = async (query: string, as?: string) =>
  service.api('GET', `/api/search?${query}`, { token: as ?? service.admin.token })
const found = async (query: string, as?: string): Promise<any[]> => {
  const { status, body } = await search(query, as)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data
}
const store = (model: string, rows: object[]) =>
  service.api('POST', `/api/e/${model}/import`, { token: service.admin.token, body: { rows } })

beforeAll(async () => {
  service = await sharedService()
  const token = service.admin.token
  for (const [name, title] of [
    ['devices', 'name'],
    ['tickets', 'subject'],
  ] as const) {
    await service.api('POST', '/api/sys/entities', {
      token,
      body: {
        name,
        title_field: title,
        table_fields: [
          { name: title, type: 'text' },
          { name: 'notes', type: 'textarea' },
          { name: 'level', type: 'integer' },
        ],
      },
    })
  }
  await makeTable(service, 'numbers', [{ name: 'value', type: 'integer' }])
  await store('devices', [
    { name: 'Laser printer', level: 1 },
    { name: 'Scanner', notes: `${'x '.repeat(100)}next to the laser printer <b>on floor 2</b>`, level: 9 },
  ])
  await store('tickets', [
    { subject: 'Café printer is jammed', notes: 'Printer, again', level: 1 },
    { subject: 'Nothing', level: 1 },
  ])
  await service.cloud.idle()
})
afterAll(() => service?.stop())

describe('a search of all tables', () => {
  it('answers the best matches by table, with what was found', async () => {
    expect(await found('q=printer')).toEqual([
      {
        model: 'tickets',
        label: expect.any(String),
        total: 1,
        records: [
          {
            id: 1,
            title: 'Café printer is jammed',
            score: expect.any(Number),
            matched_in: ['subject', 'notes'],
            highlights: [
              { field: 'subject', text: 'Café printer is jammed', marks: [[5, 12]] },
              { field: 'notes', text: 'Printer, again', marks: [[0, 7]] },
            ],
          },
        ],
        problem: null,
      },
      {
        model: 'devices',
        label: expect.any(String),
        total: 2,
        records: [
          expect.objectContaining({ id: 1, title: 'Laser printer' }),
          expect.objectContaining({ id: 2, title: 'Scanner' }),
        ],
        problem: null,
      },
    ])
    const [{ records }] = await found('q=laser%20prin&tables=devices')
    const [{ text, marks }] = records[1].highlights
    expect(text).toMatch(/^…x x .*laser printer <b>on floor 2<\/b>$/)
    expect(marks.map(([from, to]: [number, number]) => text.slice(from, to))).toEqual(['laser', 'printer'])
  })

  it('finds words without accents and case, and beginnings of the last one', async () => {
    const [{ records }] = await found('q=CAFE%20jam')
    expect(records[0].highlights[0]).toEqual({
      field: 'subject',
      text: 'Café printer is jammed',
      marks: [
        [0, 4],
        [16, 22],
      ],
    })
    expect(await found('q=jam%20cafe%20no')).toEqual([])
    expect(await found('q=%21%21')).toEqual([])
  })

  it('holds row rules, field rules and permissions', async () => {
    const limited = await userWith(
      service,
      ['devices.read', 'tickets.read'],
      [{ table: 'devices', action: 'read', filter: { level: { _lt: 5 } } }],
      { tickets: { read: ['notes'] } },
    )
    expect(await found('q=printer', limited.token)).toMatchObject([
      { model: 'devices', total: 1, records: [{ id: 1 }] },
      { model: 'tickets', total: 1, records: [{ id: 1, title: null, highlights: [{ field: 'notes' }] }] },
    ])
    expect(await found('q=cafe', limited.token)).toEqual([])
    const none = await userWith(service, [])
    expect(await found('q=printer', none.token)).toEqual([])
    expect((await search('q=printer&tables=tickets', none.token)).status).toBe(403)
  })

  it('finds a record by its id or number, above those that hold it as a word', async () => {
    await makeTable(service, 'incidents', [
      { name: 'number', type: 'auto_number', prefix: 'INC-', digits: 6, start: 100 },
      { name: 'title', type: 'text' },
      { name: 'level', type: 'integer' },
    ])
    await store('incidents', [
      { title: 'First', level: 1 },
      { title: 'Like INC-000100', level: 9 },
    ])
    await store('numbers', [{ value: 7 }])
    await service.cloud.idle()
    for (const q of ['INC-000101', 'inc-101', '101'])
      expect(await found(`q=${q}`), q).toMatchObject([{ model: 'incidents', total: 1, records: [{ id: 2 }] }])
    expect(await found('q=INC-000100')).toMatchObject([{ total: 2, records: [{ id: 1 }, { id: 2 }] }])
    expect(await found('q=INC-000100&limit=1')).toMatchObject([{ total: 2, records: [{ id: 1 }] }])
    const byId = await found('q=%231')
    expect(byId.map(({ model, records }) => [model, records[0].id])).toEqual(
      ['devices', 'incidents', 'numbers', 'tickets'].map((model) => [model, 1]),
    )
    const limited = await userWith(
      service,
      ['incidents.read'],
      [{ table: 'incidents', action: 'read', filter: { level: { _lt: 5 } } }],
      { incidents: { read: ['title'] } },
    )
    expect(await found('q=2', limited.token)).toEqual([])
    expect(await found('q=100', limited.token)).toEqual([])
    expect(await found('q=1', limited.token)).toMatchObject([{ model: 'incidents', records: [{ id: 1 }] }])
  })

  it('takes tables that exist, and a number of records', async () => {
    const [{ total, records }] = await found('q=printer&tables=devices&limit=1')
    expect([total, records.length]).toEqual([2, 1])
    expect(await found('q=printer&tables=numbers')).toEqual([])
    expect((await search('q=x&tables=device')).body.errors).toEqual({
      tables: ['The selected tables is invalid: there is no such table. Did you mean devices?'],
    })
    expect((await search('q=%20')).body.errors).toEqual({ q: ['The q field is required.'] })
    expect((await search('')).status).toBe(422)
    expect((await search('q=x&limit=many')).body.errors).toEqual({ limit: ['The limit must be an integer.'] })
  })
})
