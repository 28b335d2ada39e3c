import { afterAll, beforeAll, expect, it } from 'vitest'
import { consumers } from '../../../../../functions/stream/fan-out/consumers.ts'
import type { IncomingAction } from '../../../../../shared/automation/incoming-actions/incoming-action.ts'
import { reprocessMessage } from '../../../../../shared/automation/incoming-actions/reprocess-message.ts'
import type { RuleDependencies } from '../../../../../shared/automation/incoming-actions/run/dependencies.ts'
import { findMessage, findMessageHead } from '../../../../../shared/messages/incoming-messages/find-message.ts'
import type { MessageHead } from '../../../../../shared/messages/incoming-messages/message.ts'
import { changeMessage, noteOutcome } from '../../../../../shared/messages/incoming-messages/receive/save-message.ts'
import { storeMessage } from '../../../../../shared/messages/incoming-messages/receive/store-message.ts'
import { messageKey } from '../../../../../shared/platform/store/keys/messages/incoming.ts'
import type { Item } from '../../../../../shared/platform/store/values/marshal.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const clock = frozenClock()
const rule = { id: 3, name: 'Slow', channel: 'all', isAutomatic: true, isActive: true, condition: null }
let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const dependencies = () =>
  ({
    store: table.store,
    clock,
    config: { list: async () => [rule as unknown as IncomingAction] },
    timeZone: async () => 'UTC',
    fetchObject: async () => Buffer.of(),
  }) as unknown as RuleDependencies

const rowOf = async (id: number) => (await table.store.get(tenant, messageKey(tenant, id))) as Item
const headOf = async (id: number) => (await findMessageHead(table.store, tenant, id)) as MessageHead
const failed = { actionId: 4, action: 'Broken', kind: 'failed', message: 'no', at: 'x' } as const

async function arrive(): Promise<number> {
  const stored = await storeMessage({ store: table.store, clock, putObject: async () => {} }, tenant, {
    channel: 'api',
    channelId: null,
    fromName: null,
    fromEmail: null,
    fromId: null,
    subject: null,
    body: '',
    payload: {},
    attachments: [],
    receivedAtMs: clock.now(),
  })
  const { id } = stored as { id: number }
  await table.store.transact(tenant, noteOutcome(tenant, await headOf(id), failed), clock.uuid())
  return id
}
/** Runs it without time for any rule. */
const reprocess = (id: number) => reprocessMessage(dependencies(), tenant, id, () => 1000)

/** What the fan-out sends the consumer of messages for a write of a message. */
const queue = consumers.find(({ queueUrl }) => queueUrl === 'INCOMING_QUEUE_URL')
function queuedFor(before: Item | undefined, after: Item): unknown {
  const change = { sequenceNumber: '1', before, after }
  return queue?.wants(change) ? { ...queue.toMessage?.(change), order: queue.order?.(change) } : undefined
}

it.each([
  ['has been dealt with', false],
  ['still waits', true],
])(
  'what does not fit into the time of the request is queued by the write itself, for a message that %s',
  async (_, isWaiting) => {
    const id = await arrive()
    await table.store.write(tenant, changeMessage(tenant, await headOf(id), { isWaiting, isGivenUp: isWaiting }))
    const before = await rowOf(id)
    clock.advance(7_200_000)
    expect(await reprocess(id)).toMatchObject({
      isWaiting: true,
      isGivenUp: false,
      waitingSinceMs: clock.now(),
      outcomes: [],
    })
    const after = await rowOf(id)
    expect(queuedFor(before, after)).toMatchObject({ v: 1, tenant_id: 1, message_id: id })
  },
)

it('each round is an event of its own for the queue, and nothing else that is written of a message is one', async () => {
  const id = await arrive()
  const rows = [await rowOf(id)]
  for (let round = 1; round <= 2; round += 1) {
    await reprocess(id)
    rows.push(await rowOf(id))
  }
  const [stored, first, second] = rows as [Item, Item, Item]
  const events = [queuedFor(undefined, stored), queuedFor(stored, first), queuedFor(first, second)]
  expect(new Set(events.map((event) => (event as { order: { id: string } }).order.id)).size).toBe(3)
  await table.store.transact(tenant, noteOutcome(tenant, await headOf(id), failed), clock.uuid())
  expect(queuedFor(second, await rowOf(id))).toBeUndefined()
  await table.store.write(tenant, changeMessage(tenant, await headOf(id), { isWaiting: false }))
  expect(queuedFor(second, await rowOf(id))).toBeUndefined()
})

it('a message that somebody changes at the same time is put to wait all the same', async () => {
  const id = await arrive()
  let isFirst = true
  const store = table.storeThrough(async (operation, call) => {
    if (operation === 'PutItem' && isFirst) {
      isFirst = false
      await table.store.write(tenant, changeMessage(tenant, await headOf(id), { isWaiting: false }))
    }
    return call()
  })
  await reprocessMessage({ ...dependencies(), store }, tenant, id, () => 1000)
  const services = { store: table.store, fetchObject: async () => Buffer.of() }
  expect(await findMessage(services, tenant, id)).toMatchObject({ isWaiting: true, round: 1 })
})
