import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expandIntent, getDelivery, listDeliveries, prepareIntent } from '../../../../../shared/deliveries/service.ts'
import { Invalid } from '../../../../../shared/kernel/faults.ts'
import { deliveryWorld, testChannel } from '../../../../make/services/delivery-world.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/single-table.ts'

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
  const deps = {
    ...process.deps,
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
  await expandIntent(deps, world.tenant, String(write.put.uuid))
  const { items } = await listDeliveries({ store: table.store }, world.tenant, { page: 1, per_page: 100 })
  const read = (id: number) => getDelivery(deps, world.tenant, id)
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
