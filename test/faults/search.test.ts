import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fault } from '../../infra/local/faults/fault-point.ts'
import { recordPartition } from '../../shared/store/keys/records.ts'
import { searchReader } from '../make/builders/search-reader.ts'
import { makeTable } from '../make/builders/tables.ts'
import { compareIndex } from '../make/oracles/compare-index.ts'
import { startService, type TestService } from '../make/services/service.ts'
import { scanner } from '../make/services/single-table.ts'

const tenant = { id: 1 }
let service: TestService
let client: DynamoDBClient
let search: string
let model: string
let made = 0
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const create = async (body: object) => (await api('POST', `/api/e/${model}`, body)).body.data.id as number

beforeAll(async () => {
  service = await startService({ log: () => {} })
  client = new DynamoDBClient({ maxAttempts: 1, ...service.cloud.clientOptions('dynamodb') })
  search = service.cloud.functions.find((name) => name.toLowerCase().includes('search')) as string
})
afterAll(() => service?.stop())
beforeEach(async () => {
  model = `things_${++made}`
  await makeTable(service, model, [
    { name: 'title', type: 'text' },
    { name: 'status', type: 'value_list', options: [{ slug: 'open' }, { slug: 'closed' }] },
    { name: 'urgent', type: 'boolean' },
  ])
})

/** Creates, updates and deletes some records, many of them concurrently. */
async function changeThings(): Promise<void> {
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      create({ title: `printer ${at} jammed`, status: at % 2 ? 'open' : 'closed' }),
    ),
  )
  await Promise.all([
    ...ids.slice(0, 4).map((id) => api('PATCH', `/api/e/${model}/${id}`, { title: `scanner ${id}`, urgent: true })),
    ...ids.slice(3, 7).map((id) => api('PATCH', `/api/e/${model}/${id}`, { status: null })),
    ...ids.slice(8, 10).map((id) => api('DELETE', `/api/e/${model}/${id}`)),
  ])
}

/** Compares stored postings and counters with those that the records require. */
async function expectIndexOfRecords(): Promise<void> {
  const { items } = await service.store.query(tenant, { pk: recordPartition(tenant, model) })
  const records = new Map(items.map(({ sk, data }) => [Number(sk), JSON.parse(String(data))]))
  const { held, wanted } = await compareIndex(
    { itemsOf: scanner(client, service.cloud.tables[0] as string) },
    tenant,
    await searchReader(service).table(model),
    records,
  )
  expect(held).toEqual(wanted)
}

describe('postings and counters match the records', () => {
  const actions: readonly Extract<Fault['action'], string>[] = [
    'crash-before',
    'crash-after',
    'lose-answer',
    'repeat',
    'throttle',
  ]
  const operations = ['GetItem', 'BatchGetItem', 'TransactWriteItems', 'BatchWriteItem']
  const cases = actions.flatMap((action) => operations.map((operation) => [action, operation] as const))

  it.each(cases)('after %s at any %s of the search indexer', async (action, operation) => {
    for (const skip of process.env.FAULTS === 'all'
      ? [0, 1, 3]
      : [[0, 1, 3][(actions.indexOf(action) + operations.indexOf(operation)) % 3] as number]) {
      // Invocations share an instance, and would wait for one that dies while it reads the configuration: it is cached
      // first.
      await create({ title: 'first' })
      await service.cloud.idle()
      service.cloud.faults.inject({ functionName: search, operation, action, skip })
      await changeThings()
      await service.cloud.idle()
      service.cloud.faults.clear()
    }
    await expectIndexOfRecords()
  })

  it('after fan-out sends every change event twice', async () => {
    const fault = service.cloud.faults.inject({
      service: 'sqs',
      operation: 'SendMessageBatch',
      action: 'repeat',
      times: 100,
    })
    await changeThings()
    await service.cloud.idle()
    service.cloud.faults.clear()
    expect(fault.struck).toBeGreaterThan(0)
    await expectIndexOfRecords()
  })

  it('after versions arrive out of order and old ones arrive again', async () => {
    const id = await create({ title: 'first', status: 'open' })
    await api('PATCH', `/api/e/${model}/${id}`, { title: 'second' })
    await api('PATCH', `/api/e/${model}/${id}`, { title: 'third', urgent: true })
    const gone = await create({ title: 'gone' })
    await api('DELETE', `/api/e/${model}/${gone}`)
    await service.cloud.idle()
    const events = [change(id, 3), change(gone, 2), change(id, 1), change(gone, 1), change(id, 2)]
    for (const batch of [events, events.toReversed(), [change(gone, 1)]]) {
      expect(await service.cloud.invoke('search-indexer', { Records: batch })).toEqual({ batchItemFailures: [] })
    }
    await Promise.all(events.map((one) => service.cloud.invoke('search-indexer', { Records: [one] })))
    await expectIndexOfRecords()
  })

  it('even when one message of a batch is a poison message', async () => {
    const id = await create({ title: 'first' })
    const broken = { messageId: 'broken', body: '{"v":2}' }
    expect(await service.cloud.invoke('search-indexer', { Records: [change(id, 1), broken] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'broken' }],
    })
    await service.cloud.idle()
    await expectIndexOfRecords()
  })
})

const change = (id: number, version: number) => ({
  messageId: `${id}-${version}`,
  body: JSON.stringify({ v: 1, tenant_id: tenant.id, model, id, version, action: 'update', actor: 1, source: null }),
})
