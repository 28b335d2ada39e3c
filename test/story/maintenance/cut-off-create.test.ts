import { afterAll, beforeAll, expect, it } from 'vitest'
import { sequenceKey } from '../../../shared/platform/store/keys/records.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

const tenant = { id: 1 }
const settleMs = 500
let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const total = async (): Promise<number> => (await api('GET', '/api/e/things?per_page=1')).body.meta.total

beforeAll(async () => {
  service = await startService({ log: () => {}, environment: { SETTLE_MS: String(settleMs) } })
  await makeTable(service, 'things', [
    { name: 'title', type: 'text' },
    { name: 'code', type: 'text', unique: true },
  ])
})
afterAll(() => service?.stop())

/** Runs the sweep that comes each minute, as if half a minute had passed since the creates. */
async function sweep(model = 'things'): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const key = sequenceKey(tenant, model)
  if ((await service.store.get(tenant, key))?.s20 !== undefined)
    await service.store.write(tenant, {
      update: key,
      change: { expression: 'SET s20 = :past', values: { ':past': `2000-01-01T00:00:00.000Z#1#${model}` } },
    })
  await service.cloud.invoke('due-sweeper')
  await service.cloud.idle()
}

it.each([
  ['PutItem', { title: 'lamp' }],
  ['TransactWriteItems', { title: 'lamp', code: 'L' }],
])('a create that is cut off before its %s is no longer counted after the next sweep', async (operation, body) => {
  const before = await total()
  const struck = service.cloud.faults.inject({ operation, action: 'crash-before' })
  expect((await api('POST', '/api/e/things', body)).status).toBe(500)
  service.cloud.faults.clear()
  expect([struck.struck, await total()]).toEqual([1, before + 1])
  await sweep()
  expect(await total()).toBe(before)
  await sweep()
  expect(await total()).toBe(before)
})

it('a create whose answer was lost, and one that was refused, stay counted as they are', async () => {
  const before = await total()
  service.cloud.faults.inject({ operation: 'TransactWriteItems', action: 'crash-after' })
  expect((await api('POST', '/api/e/things', { code: 'stored' })).status).toBe(500)
  expect((await api('POST', '/api/e/things', { code: 'stored' })).status).toBe(422)
  const { id } = (await api('POST', '/api/e/things', { title: 'gone soon' })).body.data
  await api('DELETE', `/api/e/things/${id}`)
  await sweep()
  expect(await total()).toBe(before + 1)
})

it('a table whose last record was cut off can be removed after the next sweep', async () => {
  await makeTable(service, 'doomed', [{ name: 'title', type: 'text' }])
  service.cloud.faults.inject({ operation: 'PutItem', action: 'crash-before' })
  expect((await api('POST', '/api/e/doomed', { title: 'x' })).status).toBe(500)
  service.cloud.faults.clear()
  expect((await api('DELETE', '/api/sys/entities/name/doomed')).status).toBe(409)
  await sweep('doomed')
  expect((await api('DELETE', '/api/sys/entities/name/doomed')).status).toBe(204)
})
