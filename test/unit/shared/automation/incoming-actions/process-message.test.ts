import { afterAll, beforeAll, expect, it } from 'vitest'
import type { IncomingAction } from '../../../../../shared/automation/incoming-actions/incoming-action.ts'
import type { ProcessingDependencies } from '../../../../../shared/automation/incoming-actions/run/dependencies.ts'
import { processMessage } from '../../../../../shared/automation/incoming-actions/run/process-message.ts'
import { Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { Throttled } from '../../../../../shared/kernel/throttling/throttled.ts'
import { clock } from '../../../../../shared/kernel/time/clock.ts'
import { findMessage, findMessageHead } from '../../../../../shared/messages/incoming-messages/find-message.ts'
import { changeMessage } from '../../../../../shared/messages/incoming-messages/receive/save-message.ts'
import { storeMessage } from '../../../../../shared/messages/incoming-messages/receive/store-message.ts'
import { waitingMessagesPartition } from '../../../../../shared/platform/store/keys/messages/incoming.ts'
import { messageSlots, slotName } from '../../../../../shared/platform/store/slots.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const hourMs = 60 * 60_000
const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const rule = {
  id: 3,
  name: 'Broken',
  targetModel: 'requests',
  channel: 'all',
  isAutomatic: true,
  isActive: true,
  condition: null,
  savedBy: 1,
}

/** The tables of the tenant cannot be read: every rule meets a defect of the service. */
function dependencies() {
  const continued: number[] = []
  const services = {
    store: table.store,
    clock,
    config: { list: async () => [rule as unknown as IncomingAction] },
    tables: { require: () => Promise.reject(new Error('the store is gone')) },
    timeZone: async () => 'UTC',
    fetchObject: () => Promise.reject(new Error('no object')),
    prepare: async (_tenant: unknown, message: unknown) => ({ kind: 'ready', message }),
    continueLater: async (_tenant: unknown, { id }: { id: number }) => void continued.push(id),
  }
  return { services: services as unknown as ProcessingDependencies, continued }
}

async function arrive(conversation: string, receivedAtMs = clock.now()): Promise<number> {
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
    receivedAtMs,
    conversation,
  })
  return (stored as { id: number }).id
}
const read = async (id: number) => findMessage({ store: table.store, fetchObject: async () => Buffer.of() }, tenant, id)
const run = (services: ProcessingDependencies, id: number, isRepeat = false, leftMs = 60_000) =>
  processMessage(services, tenant, id, { remainingMs: () => leftMs, isRepeat })

it('a message whose rules do not fit into the time that is left waits for a further invocation', async () => {
  const { services, continued } = dependencies()
  const id = await arrive('slow')
  await run(services, id, false, 20_000)
  expect(continued).toEqual([id])
  expect(await read(id)).toMatchObject({ isWaiting: true, outcomes: [] })
})

it('a rule that meets a defect is tried again, then noted, so that it does not hold up the conversation', async () => {
  const { services } = dependencies()
  const id = await arrive('defect')
  await expect(run(services, id)).rejects.toThrow('the store is gone')
  expect(await read(id)).toMatchObject({ isWaiting: true, outcomes: [] })
  await run(services, id, true)
  expect(await read(id)).toMatchObject({
    isWaiting: false,
    outcomes: [{ actionId: 3, kind: 'failed', message: expect.stringContaining('Reprocess') }],
  })
})

it('mails that lay in the mailbox for long are dealt with in order, whichever is announced first', async () => {
  const { services } = dependencies()
  const order: number[] = []
  const prepare: ProcessingDependencies['prepare'] = (_tenant, message) => {
    order.push(message.id)
    return Promise.resolve({ kind: 'ready', message })
  }
  const without = { ...services, prepare, config: { ...services.config, list: async () => [] } }
  const received = clock.now() - 2 * hourMs
  const [first, second] = [await arrive('mailbox', received), await arrive('mailbox', received)]
  await run(without, second)
  await run(without, first)
  expect(order).toEqual([first, second])
})

it('an earlier message whose attempts are over is left to the operator, and not read again', async () => {
  const { services } = dependencies()
  const old = await arrive('old')
  const [first, second] = [await arrive('old'), await arrive('old')]
  const later = { ...services, clock: { ...clock, now: () => clock.now() + 2 * hourMs } }
  await run(later, first, true)
  expect(await read(old)).toMatchObject({ isWaiting: true, isGivenUp: true })
  expect(await read(first)).toMatchObject({ isWaiting: false })
  const index = { pk: waitingMessagesPartition(tenant, 'old'), index: slotName(messageSlots.waiting) }
  expect((await table.store.query(tenant, index)).items.map(({ sk }) => Number(sk))).toEqual([second])
  // Its own event, or that of an operator, finds it all the same.
  await run(services, old, true)
  expect(await read(old)).toMatchObject({ isWaiting: false })
})

it('an earlier message that fails again neither uses up the attempts of those after it, nor delays each of them', async () => {
  const { services } = dependencies()
  const first = await arrive('poison')
  const [second, third] = [await arrive('poison'), await arrive('poison')]
  const prepare: ProcessingDependencies['prepare'] = (given, message) =>
    message.id === first ? Promise.reject(new Error('no such file')) : services.prepare(given, message)
  await expect(run({ ...services, prepare }, second)).rejects.toThrow('no such file')
  expect(await read(first)).toMatchObject({ isWaiting: true, isGivenUp: false })
  await run({ ...services, prepare }, second, true)
  expect([await read(first), await read(second)]).toMatchObject([
    { isWaiting: true, isGivenUp: true },
    { isWaiting: false },
  ])
  const config = { ...services.config, list: async () => [] }
  await run({ ...services, prepare, config }, third)
  expect(await read(third)).toMatchObject({ isWaiting: false })
})

it('an earlier message for which a provider was too busy keeps its place', async () => {
  const { services } = dependencies()
  const [first, second] = [await arrive('busy'), await arrive('busy')]
  const prepare: ProcessingDependencies['prepare'] = (given, message) =>
    message.id === first ? Promise.reject(new Throttled()) : services.prepare(given, message)
  await run({ ...services, prepare }, second, true)
  expect(await read(first)).toMatchObject({ isWaiting: true, isGivenUp: false })
})

it('a message after earlier ones that do not fit into the time waits for a further invocation, which begins with what is left', async () => {
  const { services, continued } = dependencies()
  const order: number[] = []
  const prepare: ProcessingDependencies['prepare'] = (_tenant, message) => {
    order.push(message.id)
    return Promise.resolve({ kind: 'ready', message })
  }
  const without = { ...services, prepare, config: { ...services.config, list: async () => [] } }
  const ids = [await arrive('long'), await arrive('long'), await arrive('long')] as const
  let left = 60_000
  const remainingMs = () => (left -= 31_000) + 31_000
  await processMessage(without, tenant, ids[2], { remainingMs, isRepeat: false })
  expect([order, continued]).toEqual([[ids[0]], [ids[2]]])
  await run(without, ids[2])
  expect(order).toEqual([...ids])
})

it('a message that somebody else deals with meanwhile is left alone', async () => {
  const { services } = dependencies()
  const [first, second] = [await arrive('faster'), await arrive('faster')]
  const seen: number[] = []
  const prepare: ProcessingDependencies['prepare'] = async (_tenant, message) => {
    seen.push(message.id)
    const other = await findMessageHead(table.store, tenant, second)
    if (other?.isWaiting) await table.store.write(tenant, changeMessage(tenant, other, { isWaiting: false }))
    return { kind: 'ready', message }
  }
  await run({ ...services, prepare, config: { ...services.config, list: async () => [] } }, second)
  expect(seen).toEqual([first])
})

it('a message keeps the failures of 200 rules, whatever they say, and forgets older ones', async () => {
  const { services } = dependencies()
  const id = await arrive('many')
  const rules = Array.from({ length: 250 }, (_, n) => ({ ...rule, id: n + 1, name: '"'.repeat(100) }))
  const hostile = new Invalid({}, { message: '\u0000\u{1f4a5}"'.repeat(1000) })
  const list = async () => rules as unknown as IncomingAction[]
  const failing = {
    ...services,
    config: { ...services.config, list },
    tables: { ...services.tables, require: () => Promise.reject(hostile) },
  }
  await run(failing as unknown as ProcessingDependencies, id)
  const outcomes = (await read(id))?.outcomes ?? []
  expect(outcomes.map(({ actionId }) => actionId)).toEqual(Array.from({ length: 200 }, (_, n) => n + 51))
  expect(outcomes[0]?.message).toMatch(/^\0\u{1f4a5}"/u)
})
