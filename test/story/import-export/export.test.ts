import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeRequests, makeTable } from '../../make/builders/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await makeRequests(service)
  await makeTable(service, 'notes', [
    { name: 'text', type: 'textarea' },
    { name: 'amount', type: 'float' },
    { name: 'place', type: 'point' },
    { name: 'done', type: 'boolean' },
  ])
  await importRows('clients', [{ name: 'Ann' }, { name: 'Bob' }])
  await importRows(
    'requests',
    Array.from({ length: 1200 }, (_, n) => ({
      title: `Request ${n}`,
      priority: 1 + (n % 5),
      client_id: 1 + (n % 2),
      source: n % 2 === 0 ? 'mail' : 'phone',
    })),
  )
  await service.cloud.idle()
})
afterAll(() => service?.stop())

const importRows = (model: string, rows: object[]) =>
  service.api('POST', `/api/e/${model}/import`, { token: service.admin.token, body: { rows } })
const exportOf = (model: string, query = '', token = service.admin.token) =>
  service.api('GET', `/api/e/${model}/export${query}`, { token })
const csvOf = (text: string): string[][] => parse(text)

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

  it('over 4 MB continues as a job whose result has the URL of the file', async () => {
    await makeTable(service, 'logs', [{ name: 'text', type: 'textarea' }])
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(180)
    for (let n = 0; n < 1350; n += 450)
      await importRows(
        'logs',
        Array.from({ length: 450 }, (_, row) => ({ text: `${n + row} ${text}` })),
      )
    const { status, body } = await exportOf('logs', '?sort=id')
    expect(status).toBe(202)
    const job = await finishedJob(service, body.data.job_id)
    expect(job).toMatchObject({
      kind: 'export',
      status: 'done',
      done: 1350,
      result: { name: 'logs.csv', records: 1350, content_type: 'text/csv; charset=utf-8' },
    })
    const fetched = await fetch(job.result.url)
    expect(fetched.status).toBe(200)
    expect(fetched.headers.get('content-disposition')).toBe('attachment; filename="logs.csv"')
    const file = await fetched.text()
    expect(Buffer.byteLength(file)).toBe(job.result.size)
    const rows = csvOf(file)
    expect(rows).toHaveLength(1351)
    expect(rows.slice(1).map((row) => Number(row[1]?.split(' ')[0]))).toEqual(Array.from({ length: 1350 }, (_, n) => n))
  }, 60_000)

  it('is complete even when its job crashes half-way', async () => {
    const crash = service.cloud.faults.inject({
      service: 's3',
      operation: 'UploadPart',
      skip: 1,
      action: 'crash-after',
    })
    const { body } = await exportOf('logs', '?sort=id&format=ndjson')
    const job = await finishedJob(service, body.data.job_id)
    expect(crash.struck).toBe(1)
    expect(job).toMatchObject({ status: 'done', result: { records: 1350 } })
    const lines = (await (await fetch(job.result.url)).text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 1350 }, (_, n) => n + 1))
  }, 60_000)
})
