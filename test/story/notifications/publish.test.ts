import { afterAll, beforeAll, expect, it } from 'vitest'
import { setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'

/* Streams and event buses, as the embedded Kinesis and EventBridge receive them. `test/servers` has a broker. */

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const channel = async (name: string, type: string, config: object): Promise<number> =>
  (await api('POST', '/api/sys/channels', { name, type, is_default: true, config })).body.data.id
/** What arrived for this company, oldest first: other stories share the service and its outbox. */
const received = (type: 'stream' | 'event') =>
  service.cloud.outbox
    .list({ type })
    .filter((message) => JSON.stringify(message).includes(service.tenant.slug))
    .toReversed()

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'posts', [{ name: 'title', type: 'text' }])
})
afterAll(() => service?.stop())

/** Creates a record whose hook publishes `{ by }` to each of these channels, and answers its deliveries. */
async function publishTo(named: readonly (string | number)[], key?: string): Promise<any[]> {
  const more = key === undefined ? '' : `, ${JSON.stringify(key)}`
  const calls = named.map((one) => `$api.publish({ by: ${JSON.stringify(one)} }, ${JSON.stringify(one)}${more})`)
  await setHooks(service, 'posts', [['after_create', calls.join('\n')]])
  const { id } = (await api('POST', '/api/e/posts', { title: 'Lamp' })).body.data
  await service.cloud.idle()
  return (await api('GET', `/api/sys/deliveries?model=posts&record_id=${id}`)).body.data
}

it('publishes to a stream by id, name and type, with the key of the message as its partition key', async () => {
  const id = await channel('changes', 'stream', { provider: 'kinesis', stream_name: 'orders', region: 'us-east-1' })
  const deliveries = await publishTo([id, 'changes', 'stream'], 'customer-7')
  expect(deliveries.map(({ status, recipient }) => [status, recipient])).toEqual(
    Array.from({ length: 3 }, () => ['delivered', 'orders']),
  )
  const records = received('stream')
  expect(records.map(({ text }) => String(JSON.parse(text).data.by)).toSorted()).toEqual([
    String(id),
    'changes',
    'stream',
  ])
  expect(records[0]).toMatchObject({
    provider: 'kinesis',
    to: ['orders'],
    function: expect.stringMatching(/^DeliveryStream/),
  })
  expect(Object.values(records[0]?.meta ?? {})).toContain('customer-7')
  expect(JSON.parse(records[0]?.text ?? '')).toMatchObject({ type: 'posts.after_create', tenant: service.tenant.slug })
})

it('publishes to an event bus by id, name and type', async () => {
  const id = await channel('events', 'eventbridge', { bus_name: 'orders', detail_type: 'Order changed' })
  const deliveries = await publishTo([id, 'events', 'eventbridge'])
  expect(deliveries.map(({ status, recipient }) => [status, recipient])).toEqual(
    Array.from({ length: 3 }, () => ['delivered', 'orders']),
  )
  const events = received('event')
  expect(events).toHaveLength(3)
  expect(events[0]).toMatchObject({
    provider: 'eventbridge',
    to: ['orders'],
    function: expect.stringMatching(/^DeliveryEventbridge/),
  })
  expect(JSON.stringify(events[0])).toContain('entity-workflow')
  expect(JSON.stringify(events[0])).toContain('Order changed')
})

it('refuses the largest payload of a script for a bus, which is too large in its envelope, and tries no second time', async () => {
  await setHooks(service, 'posts', [['after_create', "$api.publish('x'.repeat(262060), 'eventbridge')"]])
  const { id } = (await api('POST', '/api/e/posts', { title: 'Large' })).body.data
  await service.cloud.idle()
  const [delivery] = (await api('GET', `/api/sys/deliveries?model=posts&record_id=${id}`)).body.data
  expect(delivery).toMatchObject({
    status: 'failed',
    attempt_count: 1,
    last_error: expect.stringMatching(
      /^The message has 262\d{3} bytes, which is more than the event bus "orders" accepts/,
    ),
  })
})

it('sends a test message to streams and buses', async () => {
  for (const { id } of (await api('GET', '/api/sys/channels')).body.data)
    expect((await api('POST', `/api/sys/channels/${id}/test`)).body.data).toEqual({ ok: true })
})
