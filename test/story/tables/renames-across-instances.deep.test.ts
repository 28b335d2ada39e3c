import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const dataDirectory = mkdtempSync(join(tmpdir(), 'renames-'))
let service: TestService | undefined
afterAll(async () => {
  await service?.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
})

it('two instances of each function, and those after a restart, read and write a renamed field', async () => {
  const [a, b] = [
    { name: 'a', type: 'integer' },
    { name: 'b', type: 'integer' },
  ]
  const first = await startService({ dataDirectory, instances: 2, log: () => {} })
  service = first
  const { token } = first.admin
  await makeTable(first, 'pairs', [a, b])
  const { id } = (await first.api('POST', '/api/e/pairs', { token, body: { a: 1, b: 2 } })).body.data
  // Both instances know the table as it was.
  const reads = () => Promise.all(Array.from({ length: 8 }, () => first.api('GET', `/api/e/pairs/${id}`, { token })))
  await reads()
  const table_fields = [
    { ...a, renamed_from: 'b' },
    { ...b, renamed_from: 'a' },
  ]
  const renamed = await first.api('PUT', '/api/sys/entities/name/pairs', { token, body: { table_fields } })
  expect(renamed.status).toBe(200)
  const seen = async () =>
    [...new Set((await reads()).map(({ body }) => `a ${body.data.data.a}, b ${body.data.data.b}`))].join(' or ')
  await expect.poll(seen, { interval: 200 }).toBe('a 2, b 1')
  const writes = await Promise.all(
    [10, 11, 12, 13].map((value) => first.api('POST', '/api/e/pairs', { token, body: { a: value, b: -value } })),
  )
  expect(writes.map(({ status, body }) => [status, body.data.data.a + body.data.data.b])).toEqual(
    writes.map(() => [201, 0]),
  )
  await first.cloud.idle()
  await first.stop()

  const second = await startService({ dataDirectory, instances: 2, seeded: false, log: () => {} })
  service = second
  const filter = encodeURIComponent(JSON.stringify({ a: { _gte: 10 } }))
  const list = await second.api('GET', `/api/e/pairs?filter=${filter}&sort=-a`, { token })
  expect([list.status, list.body.data?.map((one: any) => one.data)]).toEqual([
    200,
    [13, 12, 11, 10].map((value) => ({ a: value, b: -value })),
  ])
  expect((await second.api('GET', `/api/e/pairs/${id}`, { token })).body.data.data).toEqual({ a: 2, b: 1 })
})
