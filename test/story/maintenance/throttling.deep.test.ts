import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Fault, ProviderCall } from '../../../infra/local/sdk/faults/fault-point.ts'
import { jobDuePartitions } from '../../../shared/platform/store/keys/jobs.ts'
import { dueSlot, slotName, slotSort } from '../../../shared/platform/store/slots.ts'
import { deploymentWide } from '../../../shared/platform/store/store.ts'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const throttle = (fault: Omit<Fault, 'action'>) => service.cloud.faults.inject({ action: 'throttle', ...fault })
const totalOf = async (model: string): Promise<number> =>
  (await api('GET', `/api/e/${model}?per_page=1`)).body.meta.total

const totals = () => Promise.all(['things', 'hooked'].map(totalOf))

beforeAll(async () => {
  service = await startService()
  await makeTable(service, 'things', [{ name: 'name', type: 'text', required: true }])
  await makeTable(service, 'hooked', [{ name: 'name', type: 'text' }])
  await setHooks(service, 'hooked', [['before_create', "$api.query('things', { limit: 1 })"]])
  await api('POST', '/api/e/things', { name: 'first' })
})
afterEach(() => service.cloud.faults.clear())
afterAll(() => service?.stop())

const functionNamed = (start: string): string =>
  service.cloud.functions.find((name) => name.toLowerCase().startsWith(start)) as string

const isWrite = ({ operation }: ProviderCall): boolean => operation === 'PutItem' || operation === 'TransactWriteItems'

describe('a request whose provider is throttled', () => {
  it.each<[what: string, fault: Fault, method: string, path: string, body?: unknown]>([
    ['a write', { when: isWrite, action: 'throttle' }, 'POST', '/api/e/things', { name: 'x' }],
    ['a read', { operation: 'BatchGetItem', action: 'throttle' }, 'GET', '/api/e/things/1'],
    ['the rest of a batch', { operation: 'BatchGetItem', action: 'leave-out' }, 'GET', '/api/e/things/1'],
    ['a call of a hook', { operation: 'Query', action: 'throttle' }, 'POST', '/api/e/hooked', { name: 'x' }],
  ])(
    'is answered when %s is accepted in time, and else with 503',
    async (what, fault, method, path, body) => {
      const functionName = functionNamed('records')
      const short = service.cloud.faults.inject({ ...fault, functionName, times: 3 })
      const answered = await api(method, path, body)
      service.cloud.faults.clear()
      expect(short.struck).toBe(3)
      expect(answered.status, what).toBeLessThan(300)
      const before = await totals()
      const long = service.cloud.faults.inject({ ...fault, functionName, times: Infinity })
      const refused = await api(method, path, body)
      expect([refused.status, refused.body.code], what).toEqual([503, 'throttled'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(long.struck).toBeLessThan(60)
      service.cloud.faults.clear()
      expect(await totals()).toEqual(before)
    },
    240_000,
  )

  it('answers 503 when the key service is throttled', async () => {
    throttle({ service: 'kms', times: Infinity })
    const channel = {
      name: 'hook',
      type: 'webhook',
      config: { url: 'https://example.com/hook', auth: { type: 'bearer', token: 'a secret' } },
    }
    const { status, body } = await api('POST', '/api/sys/channels', channel)
    expect([status, body.code], JSON.stringify(body)).toEqual([503, 'throttled'])
  })
})

describe('a request whose object store is throttled', () => {
  it('is answered when a read is accepted in time, and else with 503', async () => {
    // Incompressible, so that the change is stored as an object.
    const noise = () => randomBytes(250_000).toString('base64')
    await makeTable(service, 'noises', [{ name: 'text', type: 'textarea' }])
    await api('POST', '/api/e/noises', { text: noise() })
    await api('PATCH', '/api/e/noises/1', { text: noise() })
    const short = throttle({ service: 's3', operation: 'GetObject', times: 2 })
    expect((await api('GET', '/api/sys/history/noises/1')).status).toBe(200)
    expect(short.struck).toBe(2)
    service.cloud.faults.clear()
    throttle({ service: 's3', operation: 'GetObject', times: Infinity })
    const { status, body, headers } = await api('GET', '/api/sys/history/noises/1')
    expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([503, 'throttled', true])
  })
})

describe('a request whose queue is throttled', () => {
  it('starts its job when the message is accepted in time', async () => {
    const fault = throttle({ service: 'sqs', operation: 'SendMessageBatch', times: 2 })
    const { status, body } = await api('POST', '/api/tenant/export')
    expect([status, fault.struck]).toEqual([202, 2])
    expect(await finishedJob(service, body.data.job_id)).toMatchObject({ status: 'done' })
  })

  it('keeps its job for the sweeper when the message is not accepted', async () => {
    throttle({ service: 'sqs', operation: 'SendMessageBatch', times: Infinity })
    const { status, body } = await api('POST', '/api/tenant/export')
    expect(status).toBe(202)
    expect((await api('GET', `/api/sys/jobs/${body.data.job_id}`)).body.data.status).toBe('queued')
    const due = await Promise.all(
      jobDuePartitions.map((pk) => service.store.query(deploymentWide, { pk, index: slotName(dueSlot) })),
    )
    const waiting = due.flatMap(({ items }) => items.map((item) => slotSort(item, dueSlot)))
    expect(waiting.filter((sort) => sort.endsWith(`#1#${body.data.job_id}`))).toHaveLength(1)
  })
})

describe('an import whose table is throttled', () => {
  it('slows down, and stores every row once', async () => {
    const before = await totalOf('things')
    const fault = throttle({ operation: 'TransactWriteItems', skip: 1, times: 25 })
    const { body } = await api('POST', '/api/e/things/import', {
      rows: Array.from({ length: 300 }, () => ({ name: 'x' })),
    })
    expect(fault.struck).toBeGreaterThan(10)
    const jobId = body.data.job_id
    if (jobId !== undefined)
      for (let job; job?.status !== 'done'; job = (await api('GET', `/api/sys/jobs/${jobId}`)).body.data)
        await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await totalOf('things')).toBe(before + 300)
  })
})

describe('a consumer that is throttled', () => {
  it('lets its message return and handles it later', async () => {
    const { id } = (await api('POST', '/api/e/things', { name: 'searched' })).body.data
    throttle({ functionName: functionNamed('audit'), operation: 'BatchWriteItem', times: 8 })
    await api('PATCH', `/api/e/things/${id}`, { name: 'changed' })
    await service.cloud.idle()
    expect((await api('GET', `/api/sys/history/things/${id}`)).body.data.length).toBe(2)
  })
})
