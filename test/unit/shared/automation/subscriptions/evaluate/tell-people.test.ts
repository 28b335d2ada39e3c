import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newUser } from '../../../../../../shared/accounts/people/new-user.ts'
import { userItem } from '../../../../../../shared/accounts/people/user.ts'
import type { Part, SubscriptionMessage } from '../../../../../../shared/automation/subscriptions/evaluate/parts.ts'
import type { SubscribedChange } from '../../../../../../shared/automation/subscriptions/evaluate/subscribed-change.ts'
import {
  tellPeople,
  type TellPeopleDependencies,
} from '../../../../../../shared/automation/subscriptions/evaluate/tell-channel.ts'
import type { Subscription } from '../../../../../../shared/automation/subscriptions/subscription.ts'
import type { Channel } from '../../../../../../shared/messages/channels/channel.ts'
import { orderOfRecord } from '../../../../../../shared/platform/queue/change-feed/change-event.ts'
import type { MessageOrder } from '../../../../../../shared/platform/queue/send.ts'
import { bellPartition } from '../../../../../../shared/platform/store/keys/messages/bell.ts'
import { readAll } from '../../../../../../shared/platform/store/ranges/read-all.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 9, slug: 'acme', name: 'Acme', configVersion: 1 }
const clock = frozenClock()
const at = '2026-11-20T08:00:00.000Z'
const event: SubscriptionMessage = {
  v: 1,
  tenant_id: 9,
  model: 'requests',
  id: 7,
  version: 0,
  action: 'update',
  actor: 1,
  source: null,
}
const byMail = { id: 3, name: 'By mail', template: 'changed' } as Subscription
const byBell = { id: 4, name: 'By bell', template: null } as Subscription
const subscriptions = [byMail, byBell]
const everybody = Array.from({ length: 250 }, (_, index) => index + 1)
const part = (subscription: number | null, users: readonly number[], more: Partial<Part> = {}): Part => ({
  subscription,
  users: [...users],
  ...more,
})

/** A large text, so that the content of each mail is an object. */
const text = randomBytes(20_000).toString('base64')
let table: SingleTable
let sent: { message: SubscriptionMessage; order: MessageOrder | undefined }[]
let objects: string[]
let most: number
let version = 0

beforeAll(async () => {
  table = await openSingleTable()
  for (const id of everybody) {
    const owner = { name: `User ${String(id).padStart(3, '0')}`, email: `${id}@acme.example` }
    await table.store.write(tenant, { put: userItem(tenant, newUser(id, owner, { roles: ['admin'] }, at)) })
  }
})
afterAll(() => table?.close())
beforeEach(() => {
  version += 1
  sent = []
  objects = []
  most = 0
})

const changeOf = (): SubscribedChange =>
  ({
    event: 'update',
    table: {
      name: 'requests',
      label: 'Requests',
      title_field: null,
      table_fields: [],
      fieldsByName: new Map([['state', { type: 'state_model', label: 'State' }]]),
    },
    id: 7,
    version,
    at,
    actorId: 1,
    changes: { state: { old: 1, new: 2 } },
    record: { id: 7, data: { text } },
    item: {},
  }) as unknown as SubscribedChange

const channel = { id: 1, name: 'm', type: 'email', direction: 'outgoing', isDefault: true, isEnabled: true } as Channel
const mailChannel = {
  ...channel,
  config: { transport: 'ses', from_address: 'desk@acme.example' },
  sealed: {},
  version: 1,
}
const rows: Readonly<Record<string, object>> = {
  NOTIFICATION_CODE: { id: 1, name: 'T' },
  NOTIFICATION_TEMPLATE: { id: 1, code: 'changed', name: 'T', subject: 's', body: 'b', translations: {}, version: 1 },
}
let inFlight = 0
const services = (store: Store = table.store) =>
  ({
    store,
    clock,
    portalUrl: async () => undefined,
    localeOf: async () => null,
    config: {
      get: async (_: object, kind: string) => rows[kind],
      list: async (_: object, kind: string) => (kind === 'CHANNEL' ? [mailChannel] : []),
    },
    access: { permitted: async (_viewer: object, _model: string, _action: string, items: readonly object[]) => items },
    async putObject(key: string) {
      most = Math.max(most, ++inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      objects.push(key)
      inFlight -= 1
    },
    queueUrl: 'subscriptions',
    send: async (_queue: string, messages: readonly SubscriptionMessage[], options: { order: MessageOrder[] }) => {
      sent.push(...messages.map((message, index) => ({ message, order: options.order[index] })))
      return []
    },
  }) as unknown as TellPeopleDependencies

const tell = (parts: readonly Part[], timeIsUp = () => false, store?: Store) =>
  tellPeople(services(store), tenant, { ...event, version }, changeOf(), { parts, subscriptions, timeIsUp })
const notices = async (userId: number) =>
  (await readAll(table.store, tenant, { pk: bellPartition(tenant, userId) })).length

describe('a change that tells people', () => {
  it('mails up to 100 of them with one message, few at the same time', async () => {
    await tell([part(3, everybody.slice(0, 60)), part(4, [1, 2])])
    expect([sent, objects.length, most <= 25, await notices(1)]).toEqual([[], 60, true, 1])
  })

  it('leaves more of them to messages of 100, in the order of the record', async () => {
    await tell([part(3, everybody), part(null, [5])])
    expect(objects).toEqual([])
    expect(sent.map(({ message }) => message.part?.users.length)).toEqual([100, 100, 50, 1])
    expect(sent.flatMap(({ message }) => message.part?.users)).toEqual([...everybody, 5])
    const { group } = orderOfRecord({ ...event, version })
    expect(new Set(sent.map(({ order }) => order?.group))).toEqual(new Set([group]))
    expect(new Set(sent.map(({ order }) => order?.id)).size).toBe(4)
    // A repeat sends the same, which the queue knows by its ids.
    const before = sent
    sent = []
    await tell([part(3, everybody), part(null, [5])])
    expect(sent).toEqual(before)
    for (const { message } of before) if (message.part) await tell([message.part])
    expect([objects.length, new Set(objects).size]).toEqual([250, 250])
  })

  it('tells nobody twice, and stores no content again, when a message is delivered again', async () => {
    let puts = 0
    const dying = table.storeThrough(async (name, call) => {
      if (name === 'PutItem' && ++puts > 40) throw new Error('crashed')
      return call()
    })
    const users = everybody.slice(0, 100)
    await expect(tell([part(3, users)], undefined, dying)).rejects.toThrow('crashed')
    await vi.waitFor(() => expect(inFlight).toBe(0), { timeout: 60_000 })
    const before = objects.length
    await tell([part(3, users, { again: true })])
    // 40 were stored before the crash.
    expect(objects.length - before).toBe(60)
    await tell([part(3, users, { again: true })])
    expect(objects.length - before).toBe(60)
  })

  it('leaves those who are not told yet to another message when the time is up', async () => {
    await tell([part(3, everybody.slice(0, 60)), part(4, [1, 2])], () => true)
    expect(objects).toHaveLength(25)
    expect(sent.map(({ message: { part: rest } }) => [rest?.subscription, rest?.users.length])).toEqual([
      [3, 35],
      [4, 2],
    ])
    const [first, second] = sent.splice(0).map(({ message }) => message.part as Part)
    await tell([first as Part], () => true)
    expect([objects.length, sent.map(({ message }) => message.part?.users.length)]).toEqual([50, [10]])
    await tell([second as Part], () => true)
    expect(sent).toHaveLength(1)
  })

  it('tells nobody by a subscription that was deleted since', async () => {
    await tell([part(99, [1, 2])])
    expect([objects, sent]).toEqual([[], []])
  })

  it('fails when the queue refuses the rest, so that the change is told again', async () => {
    const refusing = { ...services(), send: async () => [{ index: 0, reason: 'busy' }] }
    const told = tellPeople(refusing, tenant, { ...event, version }, changeOf(), {
      parts: [part(3, everybody)],
      subscriptions,
      timeIsUp: () => false,
    })
    await expect(told).rejects.toThrow('busy')
  })
})
