import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listDeliveries } from '../../../../../../shared/messages/deliveries/administer/list-deliveries.ts'
import {
  getDelivery,
  retryDelivery,
} from '../../../../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { attemptDelivery } from '../../../../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { eraseIntent } from '../../../../../../shared/messages/deliveries/erase/erase-intent.ts'
import { intentTo, waitingIntentsTo } from '../../../../../../shared/messages/deliveries/erase/intents-to.ts'
import { expandIntent } from '../../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import { prepareIntent, type Send } from '../../../../../../shared/messages/deliveries/expand/write-intent.ts'
import type { Outcome } from '../../../../../../shared/messages/deliveries/state/outcome.ts'
import { tenantPrefix } from '../../../../../../shared/platform/store/keys/key.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld, testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 700
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const mails = { ...testChannel, type: 'email' as const, config: {} }
const email = 'quagga@acme.test'
const person = { userId: 7, email, chat: '4711' }
const erased = 'erased-7@erased.invalid'
const refuses: Outcome = { kind: 'failed', error: `550 no mailbox ${email}`, code: '550', excerpt: `what is ${email}?` }
const content = { subject: `Hello ${email}`, body: `<p>Write to ${email}</p>` }

const worldWith = (receive: () => Outcome, channel: typeof testChannel = mails) =>
  deliveryWorld(table, ++tenants, receive, channel)

/** Asks for a message; answers what erases a person from it, with the objects that it uses. */
async function asked(world: DeliveryWorld, send: Partial<Send>, process = world.startProcess()) {
  const objects = new Map<string, Uint8Array>()
  const source = { model: 'requests', record_id: 42 }
  const { write, object } = prepareIntent(world.clock, world.tenant, {
    channel: mails,
    recipients: [email],
    content,
    source,
    ...send,
  })
  if (object) objects.set(object.key, object.body)
  await table.store.write(world.tenant, write)
  const store = {
    fetchObject: async (key: string) => objects.get(key) ?? Promise.reject(new Error(key)),
    remove: async (key: string) => void objects.delete(key),
  }
  const services = { ...process.services, objects: store, findAddress: async () => ({ address: email, locale: 'de' }) }
  const uuid = write.put.uuid as string
  const erase = () =>
    eraseIntent({ store: process.services.store, clock: world.clock, objects: store }, world.tenant, person, uuid)
  return { services, uuid, objects, erase, item: write.put, expand: () => expandIntent(services, world.tenant, uuid) }
}

/** The deliveries with their attempts, the oldest first. */
async function deliveriesOf(world: DeliveryWorld, { services }: { services: Parameters<typeof getDelivery>[0] }) {
  const { items } = await listDeliveries({ store: table.store }, world.tenant, { page: 1, per_page: 100 })
  return Promise.all(items.toReversed().map(({ id }) => getDelivery(services, world.tenant, id)))
}

const attemptAll = async (world: DeliveryWorld, services: Parameters<typeof attemptDelivery>[0], count: number) => {
  for (let id = 1; id <= count; id += 1) await attemptDelivery(services, world.tenant, id)
}

/** Everything that the table holds of the tenant, as text. */
const storedText = async (world: DeliveryWorld): Promise<string> =>
  JSON.stringify(await table.itemsOf(tenantPrefix(world.tenant)))

describe('an erased person', () => {
  it.each([[email], [email.toUpperCase()], ['user:7']])(
    'leaves a mail that was sent to %s, and its attempts',
    async (to) => {
      const world = await worldWith(() => refuses)
      const sent = await asked(world, { recipients: [to] })
      await sent.expand()
      await attemptAll(world, sent.services, 1)
      expect(await storedText(world)).toContain(email)
      await sent.erase()
      const [delivery] = await deliveriesOf(world, sent)
      expect(delivery).toMatchObject({
        recipient: erased,
        subject: '********',
        body: '********',
        status: 'cancelled',
        last_error: 'The recipient was erased.',
        attempts: [{ n: 1, outcome: 'failed', code: '550', error: '********', response_excerpt: '********' }],
      })
      expect(await storedText(world)).not.toContain(email)
      const before = await storedText(world)
      expect([await sent.erase(), await storedText(world)]).toEqual([true, before])
      await expect(retryDelivery(sent.services as never, world.tenant, 1)).rejects.toThrow('whose recipient was erased')
    },
  )

  it('leaves a message to several people, who still get it', async () => {
    let outcome: Outcome = refuses
    const world = await worldWith(() => outcome)
    const sent = await asked(world, { recipients: ['ann@acme.test', email] })
    await sent.expand()
    await attemptAll(world, sent.services, 2)
    await sent.erase()
    outcome = { kind: 'delivered' }
    world.clock.advance(400_000)
    await attemptAll(world, sent.services, 2)
    const [ann, gone] = await deliveriesOf(world, sent)
    expect([ann?.recipient, ann?.status, gone?.recipient, gone?.status]).toEqual([
      'ann@acme.test',
      'delivered',
      erased,
      'cancelled',
    ])
    // What others got stays as they got it.
    expect([ann?.body, gone?.body, gone?.subject]).toEqual([content.body, '********', '********'])
    expect(world.received.map(({ recipient }) => recipient)).toEqual(['ann@acme.test', email, 'ann@acme.test'])
  })

  it('gets nothing of what was still to be expanded', async () => {
    const world = await worldWith(() => ({ kind: 'delivered' }))
    const sent = await asked(world, {})
    expect(await sent.erase()).toBe(false)
    await sent.expand()
    await world.sweepUntilIdle()
    expect(await sent.erase()).toBe(true)
    const [delivery] = await deliveriesOf(world, sent)
    expect(delivery).toMatchObject({ recipient: erased, status: 'failed', last_error: 'The recipient was erased.' })
    expect(world.received).toEqual([])
  })

  it('is erased from a mail that is being sent once its attempt has ended', async () => {
    const states: boolean[] = []
    const world = await worldWith(() => ({ kind: 'delivered' }))
    const sent = await asked(world, {})
    await sent.expand()
    const send = async () => {
      states.push(await sent.erase())
      return refuses
    }
    await attemptDelivery({ ...sent.services, sender: { send } }, world.tenant, 1)
    states.push(await sent.erase())
    expect([states, (await deliveriesOf(world, sent))[0]?.status]).toEqual([[false, true], 'cancelled'])
    expect(await storedText(world)).not.toContain(email)
  })

  it('is erased from contents of any size', async () => {
    const world = await worldWith(() => ({ kind: 'delivered' }))
    const noise = Array.from({ length: 4000 }, (_, n) => Math.sin(n)).join()
    const large = { subject: `Hello ${email}`, body: `${noise} ${email}` }
    const [alone, shared] = [
      await asked(world, { content: large }),
      await asked(world, { content: large, recipients: [email, 'ann@acme.test'] }),
    ]
    expect([alone.objects.size, shared.objects.size]).toEqual([1, 1])
    for (const sent of [alone, shared]) {
      await sent.expand()
      await sent.erase()
    }
    expect([alone.objects.size, shared.objects.size]).toEqual([0, 1])
    const bodies = (await deliveriesOf(world, shared)).map(({ body }) => body)
    expect(bodies.slice(0, 2)).toEqual(['********', '********'])
    expect(bodies[2]).toContain(email)
  })

  it('leaves chats by their number, which is no number of a phone', async () => {
    const messenger = { ...testChannel, type: 'messenger' as const, config: {} }
    const world = await worldWith(() => ({ kind: 'delivered' }), messenger)
    const chat = await asked(world, { channel: messenger, recipients: ['4711'], content: { body: 'Hi' } })
    const sms = { ...messenger, type: 'sms' as const }
    const phone = await asked(world, { channel: sms, recipients: ['4711'], content: { body: 'Hi' } })
    for (const sent of [chat, phone]) {
      await sent.expand()
      await sent.erase()
    }
    const found = await deliveriesOf(world, chat)
    expect(found.map(({ recipient }) => recipient)).toEqual(['erased-7', '4711'])
    expect([intentTo(person, chat.item), intentTo(person, phone.item)]).toEqual([chat.uuid, undefined])
  })

  it('is found among what waits, page by page', async () => {
    const world = await worldWith(() => refuses)
    const mine = [await asked(world, {}), await asked(world, { recipients: ['user:7'] })]
    const others = await asked(world, { recipients: ['ann@acme.test'] })
    for (const sent of [...mine, others]) await sent.expand()
    const first = await waitingIntentsTo(table.store, world.tenant, person, undefined)
    expect(first.uuids.toSorted()).toEqual(mine.map(({ uuid }) => uuid).toSorted())
    expect(await waitingIntentsTo(table.store, world.tenant, person, first.next)).toEqual({ uuids: [] })
  })

  it('is gone after a repeat, wherever a process that erases crashes', async () => {
    const prepare = async (crashAt = Infinity, when: 'before' | 'after' = 'before') => {
      const world = await worldWith(() => refuses)
      const sound = await asked(world, { recipients: [email, 'ann@acme.test'] })
      await sound.expand()
      await attemptAll(world, sound.services, 2)
      const process = world.startProcess(crashAt, when)
      const run = () =>
        eraseIntent({ ...sound.services, store: process.services.store }, world.tenant, person, sound.uuid)
      return { world, sound, process, run }
    }
    const counted = await prepare()
    await counted.run()
    const count = counted.process.operations()
    expect(count).toBeGreaterThan(4)
    for (const when of ['before', 'after'] as const)
      for (let crashAt = 1; crashAt <= count; crashAt += 1) {
        const { world, sound, run } = await prepare(crashAt, when)
        await expect(run()).rejects.toThrow(when)
        expect(await sound.erase()).toBe(true)
        const [gone, ann] = await deliveriesOf(world, sound)
        expect([gone?.recipient, gone?.status, ann?.status]).toEqual([erased, 'cancelled', 'retrying'])
        expect(JSON.stringify(gone)).not.toContain(email)
      }
  })
})
