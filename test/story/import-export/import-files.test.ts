import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson', json: 'application/json' } as const
const send = (type: keyof typeof types, body: unknown, query = '', key?: string) =>
  service.api('POST', `/api/e/assets/import${query}`, {
    token: service.admin.token,
    body,
    headers: { 'content-type': types[type], ...(key !== undefined && { 'idempotency-key': key }) },
  })
const stored = async (id: number) =>
  (await service.api('GET', `/api/e/assets/${id}`, { token: service.admin.token })).body.data.data

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'rooms', [{ name: 'name', type: 'text', required: true }])
  await makeTable(service, 'assets', [
    { name: 'title', type: 'text', required: true },
    { name: 'price', type: 'float' },
    { name: 'seats', type: 'integer', default: 1 },
    { name: 'in_use', type: 'boolean' },
    { name: 'bought_on', type: 'date' },
    { name: 'checked_at', type: 'datetime' },
    { name: 'room', type: 'model_list', target_table: 'rooms' },
    { name: 'owner', type: 'user' },
    {
      name: 'kind',
      type: 'value_list',
      options: [
        { slug: 'chair', label: 'Chair' },
        { slug: 'desk', label: 'Writing desk' },
      ],
    },
    { name: 'place', type: 'point' },
  ])
  await service.api('POST', '/api/e/rooms', { token: service.admin.token, body: { name: 'Hall' } })
})
afterAll(() => service?.stop())

describe('an import of a CSV file', () => {
  it('reads each cell as the type of its column does, and leaves out what is empty', async () => {
    const header = 'title,price,seats,in_use,bought_on,checked_at,room,owner,kind,place'
    const answer = await send(
      'csv',
      `${header}\r\n"Oak, ""big""\nand old",-12.5,4,yes,2026-11-20,2026-11-20T09:00:00+01:00,1,${service.admin.userId},Writing desk,"52.5, 13.4"\r\nPlain,,,,,,,,,\r\n`,
    )
    expect([answer.status, answer.body.data]).toMatchObject([200, { total: 2, created: 2, failed: 0, errors: [] }])
    const [first, second] = answer.body.data.ids
    expect(await stored(first)).toMatchObject({
      title: 'Oak, "big"\nand old',
      price: -12.5,
      seats: 4,
      in_use: true,
      bought_on: '2026-11-20',
      checked_at: '2026-11-20T08:00:00.000Z',
      room: 1,
      owner: service.admin.userId,
      kind: 'desk',
      place: { lat: 52.5, lng: 13.4 },
    })
    expect(await stored(second)).toEqual({ title: 'Plain', seats: 1 })
  })

  it('names the row and the column of a cell that it cannot read, and stores the others', async () => {
    const answer = await send(
      'csv',
      'title,price,in_use,bought_on,kind\nA,1,no,2026-11-20,desk\nB,1.5.0,maybe,20.11.2026,dsk\n',
    )
    expect(answer.body.data).toMatchObject({
      total: 2,
      created: 1,
      errors: [
        {
          row: 1,
          errors: {
            price: ['The price must be a number.'],
            in_use: ['The in_use field must be true or false.'],
            bought_on: ['The bought_on is not a valid date.'],
            kind: [expect.stringContaining('Did you mean desk?')],
          },
        },
      ],
    })
    expect((await send('csv', 'titel,title\nx,y\n')).body.data.errors).toMatchObject([
      { row: 0, errors: { titel: [expect.stringContaining('Did you mean title?')] } },
    ])
  })

  it('takes back what an export wrote', async () => {
    const token = service.admin.token
    const { ids } = (await send('csv', 'title,price,place\n\'=1+1,3,"1,2"\n')).body.data
    const exported = await fetch(`${service.url}/api/e/assets/export?filter=${JSON.stringify({ id: ids[0] })}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const again = await send('csv', await exported.text())
    expect(again.body.data).toMatchObject({ created: 1, failed: 0 })
    expect(await stored(again.body.data.ids[0])).toEqual(await stored(ids[0]))
    expect(await stored(ids[0])).toMatchObject({ title: '=1+1', place: { lat: 1, lng: 2 } })
  })

  it('stores nothing of a file that is no CSV, or of a dry run', async () => {
    const before = (await service.api('GET', '/api/e/assets', { token: service.admin.token })).body.meta.total
    expect((await send('csv', 'title\n"open\n')).status).toBe(400)
    expect((await send('csv', 'title,price\na\n')).body).toMatchObject({
      code: 'validation_failed',
      errors: { body: [expect.stringContaining('Line 2')] },
    })
    expect((await send('csv', 'title\na\n', '?dry_run=true')).body.data).toMatchObject({ total: 1, failed: 0 })
    const { body } = await service.api('GET', '/api/e/assets', { token: service.admin.token })
    expect(body.meta.total).toBe(before)
  })

  it('is stored once under its Idempotency-Key', async () => {
    const [first, again] = [await send('csv', 'title\nOnce\n', '', 'k1'), await send('csv', 'title\nOnce\n', '', 'k1')]
    expect(again.body.data).toEqual(first.body.data)
    expect((await send('csv', 'title\nTwice\n', '', 'k1')).body.code).toBe('idempotency_key_reused')
  })
})

describe('an import of NDJSON', () => {
  it('has a record a line, with typed values, and texts where they are asked to be read', async () => {
    const plain = await send('ndjson', '{"title":"A","price":2}\n{"title":"B","price":"2"}\n')
    expect(plain.body.data).toMatchObject({ created: 1, errors: [{ row: 1, errors: { price: [expect.anything()] } }] })
    expect((await send('ndjson', '{"title":"B","price":"2"}\n', '?coerce=true')).body.data).toMatchObject({
      created: 1,
    })
    expect((await send('ndjson', '{"title":"A"}\n{title}\n')).body.message).toMatch(/^Line 2 is not valid JSON/)
  })
})

describe('rows of texts', () => {
  it('are read with coerce, in the query or in the body, and refused without', async () => {
    const rows = [{ title: 'C', price: '3', in_use: 'TRUE', seats: '', bought_on: ' 2026-01-02 ' }]
    expect((await send('json', { rows })).body.data).toMatchObject({ created: 0, failed: 1 })
    const read = await send('json', { rows }, '?coerce=true')
    expect(read.body.data).toMatchObject({ created: 1 })
    expect(await stored(read.body.data.ids[0])).toMatchObject({
      price: 3,
      in_use: true,
      seats: 1,
      bought_on: '2026-01-02',
    })
    expect((await send('json', { rows, coerce: true })).body.data).toMatchObject({ created: 1 })
    expect((await send('json', { rows }, '?coerce=maybe')).status).toBe(422)
  })
})
