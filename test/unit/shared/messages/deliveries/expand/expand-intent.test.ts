import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import type { Notice } from '../../../../../../shared/messages/bell/bell-row.ts'
import { listDeliveries } from '../../../../../../shared/messages/deliveries/administer/list-deliveries.ts'
import { getDelivery } from '../../../../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { expandIntent } from '../../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import { bellChannel, prepareIntent } from '../../../../../../shared/messages/deliveries/expand/write-intent.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { deliveryWorld, testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 500
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const mailChannel = { ...testChannel, type: 'email' as const, config: {} }
const source = { model: 'requests', record_id: 42, hook: 'after_create' }

/** Stores an intent and expands it with what some dependencies answer; answers the deliveries, oldest first. */
async function expandedWith(
  send: Partial<Parameters<typeof prepareIntent>[2]>,
  answers: Partial<Parameters<typeof expandIntent>[0]> = {},
) {
  const world = await deliveryWorld(table, ++tenants, () => ({ kind: 'delivered' }), mailChannel)
  const objects = new Map<string, Uint8Array>()
  const process = world.startProcess()
  const services = {
    ...process.services,
    ...answers,
    objects: { fetchObject: async (key: string) => objects.get(key) ?? Promise.reject(new Error(key)) },
  }
  const { write, object } = prepareIntent(world.clock, world.tenant, {
    channel: mailChannel,
    recipients: ['ann@acme.example'],
    content: { body: 'hello' },
    source,
    ...send,
  })
  if (object) objects.set(object.key, object.body)
  await table.store.transact(world.tenant, [write], world.clock.uuid())
  await expandIntent(services, world.tenant, String(write.put.uuid))
  const { items } = await listDeliveries({ store: table.store }, world.tenant, { page: 1, per_page: 100 })
  const read = (id: number) => getDelivery(services, world.tenant, id)
  return { deliveries: items.toReversed(), woken: process.woken, object, item: write.put, read }
}

describe('a recipient that is a user', () => {
  it('gets the message at the address that the channel needs', async () => {
    const { deliveries, woken } = await expandedWith(
      { recipients: ['user:3', 'user:4'] },
      { findAddress: async (_, userId, type) => ({ address: `${userId}@${type}`, locale: 'de' }) },
    )
    expect(deliveries.map(({ recipient, status }) => [recipient, status])).toEqual([
      ['3@email', 'queued'],
      ['4@email', 'queued'],
    ])
    expect(woken).toEqual(deliveries.map(({ id }) => id))
  })

  it('has a failed delivery with the reason when there is no address, and is never attempted', async () => {
    const { deliveries, woken } = await expandedWith({ recipients: ['user:3', 'bob@acme.example'] })
    expect(deliveries).toMatchObject([
      { recipient: 'user:3', status: 'failed', last_error: 'There is no user 3.', next_attempt_at: null },
      { recipient: 'bob@acme.example', status: 'queued', last_error: null },
    ])
    expect(woken).toEqual([deliveries[1]?.id])
  })
})

describe('a template', () => {
  it('is rendered for each recipient in their language, also when the delivery is read', async () => {
    const { deliveries, read } = await expandedWith(
      {
        recipients: ['ann@acme.example', 'user:7'],
        content: { body: '', template: { subject: 'Hi', body: '<p>', translations: {} }, params: { n: 1 } },
      },
      {
        findAddress: async () => ({ address: 'eva@acme.example', locale: 'de' }),
        findLocale: async () => 'fr',
        render: async ({ subject }, params, locale) => ({
          subject: `${subject} ${locale}`,
          html: `<p>${JSON.stringify(params)} ${locale}</p>`,
          text: '',
        }),
      },
    )
    expect(deliveries.map(({ subject, body }) => [subject, body])).toEqual([
      ['Hi fr', '<p>{"n":1} fr</p>'],
      ['Hi de', '<p>{"n":1} de</p>'],
    ])
    expect((await read(deliveries[1]?.id as number)).body).toBe('<p>{"n":1} de</p>')
  })
})

describe('a template that cannot be rendered', () => {
  it('has a failed delivery with the reason', async () => {
    const { deliveries, woken } = await expandedWith(
      { content: { body: '', template: { subject: 'Hi', body: '{{a}}', translations: {} } } },
      {
        render: async () => {
          throw new Invalid({ body: ['It would have more than 1 MB.'] })
        },
      },
    )
    expect(deliveries).toMatchObject([
      { status: 'failed', last_error: 'The template cannot be rendered: It would have more than 1 MB.' },
    ])
    expect(woken).toEqual([])
  })
})

describe('a content', () => {
  it('of more than 12 KB is an object, and shown whole with its delivery', async () => {
    const body = Array.from({ length: 30_000 }, (_, n) => (n * 7919).toString(36)).join(' ')
    const { deliveries, object, item, read } = await expandedWith({ content: { body } })
    expect(object?.key).toMatch(/^deliveries\/\d+\/[0-9a-f-]{36}\.json\.gz$/)
    expect(item.content).toBeUndefined()
    expect(deliveries[0]?.body).toBe(body.slice(0, 500))
    expect((await read(deliveries[0]?.id as number)).body).toBe(body)
  })

  it('of less stays in the row', async () => {
    const { object } = await expandedWith({ content: { body: 'x'.repeat(200_000) } })
    expect(object).toBeUndefined()
  })
})

describe('an intent with many recipients', () => {
  const recipients = Array.from({ length: 250 }, (_, n) => `${n}@acme.example`)
  const userRecipients = recipients.map((_, n) => `user:${n + 1}`)

  async function largeIntent(send: Partial<Parameters<typeof prepareIntent>[2]>) {
    const world = await deliveryWorld(table, ++tenants, () => ({ kind: 'delivered' }), mailChannel)
    const { write } = prepareIntent(world.clock, world.tenant, {
      channel: mailChannel,
      recipients,
      content: { body: 'hello' },
      source,
      ...send,
    })
    await table.store.transact(world.tenant, [write], world.clock.uuid())
    return { world, uuid: String(write.put.uuid), tenant: world.tenant }
  }

  it('continues behind the steps that an attempt completed before it crashed', async () => {
    const { world, uuid, tenant } = await largeIntent({})
    const asked: number[] = []
    const { services } = world.startProcess()
    let isDead = true
    const findLocale = async (_: object, address: string) => {
      const n = Number.parseInt(address)
      asked.push(n)
      if (isDead && n === 230) throw new Error('crashed')
      return null
    }
    const content = { body: '', template: { subject: 's', body: 'b', translations: {} }, params: {} }
    const large = await largeIntent({ content })
    await expect(expandIntent({ ...services, findLocale }, large.tenant, large.uuid)).rejects.toThrow('crashed')
    isDead = false
    asked.length = 0
    await expandIntent({ ...services, findLocale }, large.tenant, large.uuid)
    expect(asked).toEqual(recipients.slice(200).map((_, n) => n + 200))
    const { meta, items } = await listed(large.tenant)
    expect([meta, new Set(items.map(({ recipient }) => recipient)).size]).toEqual([250, 250])
    await expandIntent(services, tenant, uuid)
    expect((await listed(tenant)).meta).toBe(250)
  })

  it('is left to the sweeper after a step when the time is up, and then completed', async () => {
    const { world, uuid, tenant } = await largeIntent({})
    const { services, woken } = world.startProcess()
    await expandIntent(services, tenant, uuid, () => true)
    expect([(await listed(tenant)).meta, woken.length]).toEqual([100, 100])
    await world.sweep()
    expect((await listed(tenant)).meta).toBe(250)
  })

  it('notifies people in steps, each once under the key of the intent', async () => {
    const { world, uuid, tenant } = await largeIntent({ channel: bellChannel, recipients: userRecipients })
    const steps: (readonly Notice[])[] = []
    const notify = async (_: object, notices: readonly Notice[]) => void steps.push(notices)
    await expandIntent({ ...world.startProcess().services, notify }, tenant, uuid)
    expect(steps.map(({ length }) => length)).toEqual([100, 100, 50])
    expect(steps.flat().map(({ userId }) => userId)).toEqual(recipients.map((_, n) => n + 1))
    expect(new Set(steps.flat().map(({ key }) => key))).toEqual(new Set([uuid]))
  })
})

async function listed(tenant: { readonly id: number }) {
  const { items, total } = await listDeliveries({ store: table.store }, tenant, { page: 1, per_page: 1000 })
  return { items, meta: total }
}
