import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishedJob } from '../../make/builders/finished-job.ts'
import {
  exportOf as exportFrom,
  importRows as importInto,
  makeExportedTables,
} from '../../make/builders/lists/exported-tables.ts'
import { seeded } from '../../make/builders/lists/query-records.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { readZip } from '../../make/services/unzip.ts'

let service: TestService
const importRows = (model: string, rows: object[]) => importInto(service, model, rows)
const exportOf = (model: string, query?: string, token?: string) => exportFrom(service, model, query, token)
const csvOf = (text: string): string[][] => parse(text)

beforeAll(async () => {
  service = await startService()
  await makeExportedTables(service)
})
afterAll(() => service?.stop())

describe('an export over 4 MB', () => {
  it('continues as a job whose result has the URL of the file', async () => {
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
  })

  it('tells to shorten a filter that no job can hold, and goes on with one that it can', async () => {
    const distinct = seeded(7)
    const without = (tests: number) => ({
      _and: Array.from({ length: tests }, () => ({
        id: { _nin: Array.from({ length: 1000 }, () => 10_000 + distinct(2 ** 31)) },
      })),
    })
    const ask = (tests: number) =>
      service.api('POST', '/api/e/logs/export', { token: service.admin.token, body: { filter: without(tests) } })
    const refused = await ask(120)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: { filter: [expect.stringMatching(/^The filter is too large .* 150 KB\. Shorten its lists of values/)] },
    })
    const accepted = await ask(10)
    expect(accepted.status).toBe(202)
    expect(await finishedJob(service, accepted.body.data.job_id)).toMatchObject({ status: 'done', done: 1350 })
  })

  it('as XLSX is the same workbook from a job, which a crash does not change', async () => {
    const random = seeded(97)
    const text = () => Array.from({ length: 700 }, () => random(2 ** 32).toString(36)).join(' ')
    await makeTable(service, 'noise', [{ name: 'text', type: 'textarea' }])
    for (let n = 0; n < 2400; n += 400)
      await importRows(
        'noise',
        Array.from({ length: 400 }, (_, row) => ({ text: `${n + row} ${text()}` })),
      )
    const crash = service.cloud.faults.inject({
      service: 's3',
      operation: 'UploadPart',
      skip: 1,
      action: 'crash-after',
    })
    const { status, body } = await exportOf('noise', '?sort=id&format=xlsx')
    expect(status).toBe(202)
    const job = await finishedJob(service, body.data.job_id)
    expect(crash.struck).toBe(1)
    expect(job).toMatchObject({ status: 'done', result: { name: 'noise.xlsx', records: 2400 } })
    const file = Buffer.from(await (await fetch(job.result.url)).arrayBuffer())
    expect(file.length).toBe(job.result.size)
    const sheet = String(readZip(file).get('xl/worksheets/sheet1.xml'))
    const numbers = [...sheet.matchAll(/<c r="B\d+" t="inlineStr"><is><t xml:space="preserve">(\d+) /g)]
    expect(numbers.map(([, n]) => Number(n))).toEqual(Array.from({ length: 2400 }, (_, n) => n))
  }, 180_000)

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
  })
})
