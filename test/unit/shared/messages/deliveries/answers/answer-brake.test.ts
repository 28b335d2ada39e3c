import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Notice } from '../../../../../../shared/messages/bell/bell-row.ts'
import { listDeliveries } from '../../../../../../shared/messages/deliveries/administer/list-deliveries.ts'
import { type AnswerLimits, answersTo } from '../../../../../../shared/messages/deliveries/answers/answer-brake.ts'
import { expandIntent } from '../../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import { bellChannel, prepareIntent } from '../../../../../../shared/messages/deliveries/expand/write-intent.ts'
import { answersKey } from '../../../../../../shared/platform/store/keys/messages/deliveries.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld, testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

const mailChannel = { ...testChannel, type: 'email' as const, config: {} }
const ada = 'ada@example.com'
type Asked = Partial<Parameters<typeof prepareIntent>[2]>

let table: SingleTable
let world: DeliveryWorld
let limits: AnswerLimits
let isQuiet: boolean
let tenants = 800
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(async () => {
  world = await deliveryWorld(table, ++tenants, () => ({ kind: 'delivered' }), mailChannel)
  isQuiet = false
  limits = { perHour: 3, ownAddresses: new Set(['desk@acme.test']) }
})

const dependencies = (process = world.startProcess()) => ({
  ...process.services,
  answerLimits: async () => limits,
  mailSendersOf: async () => [{ address: ada, isQuiet }],
  findAddress: async (_: object, userId: number) => ({ address: `ADA@Example.com.`, locale: String(userId) }),
})

/** Asks for a mail that answers one of Ada's; answers the uuid of its intent. */
async function asks(send: Asked = {}): Promise<string> {
  const source = { model: 'requests', record_id: 42, hook: 'after_create' }
  const { write } = prepareIntent(world.clock, world.tenant, {
    channel: mailChannel,
    recipients: [ada],
    content: { body: 'We have it' },
    source,
    answers: answersTo([ada]),
    ...send,
  })
  await table.store.transact(world.tenant, [write], world.clock.uuid())
  return String(write.put.uuid)
}
const sends = async (send?: Asked) => expandIntent(dependencies(), world.tenant, await asks(send))
async function deliveries(): Promise<[string, string, string | null][]> {
  const { items } = await listDeliveries({ store: table.store }, world.tenant, { page: 1, per_page: 100 })
  return items.toReversed().map(({ recipient, status, last_error }) => [recipient, status, last_error])
}
const statuses = async (): Promise<string[]> => (await deliveries()).map(([, status]) => status)

describe('automatic answers to who sent a mail', () => {
  it('are sent so many times an hour; others become cancelled deliveries that say why', async () => {
    for (let n = 0; n < 4; n += 1) await sends()
    expect(await statuses()).toEqual(['queued', 'queued', 'queued', 'cancelled'])
    expect((await deliveries()).at(-1)?.[2]).toContain('3 automatic answers within an hour')
    world.clock.advance(60 * 60_000)
    await sends()
    expect((await statuses()).at(-1)).toBe('queued')
  })

  it('are counted by address, however it is written or named', async () => {
    await sends({ recipients: ['Ada@EXAMPLE.com'] })
    await sends({ recipients: ['user:3'] })
    await sends({ recipients: ['ada@example.com.', 'bob@example.com', 'user:3'] })
    expect(await statuses()).toEqual(['queued', 'queued', 'queued', 'queued', 'cancelled'])
  })

  it('are not sent where the mail came through a list or asks for none', async () => {
    isQuiet = true
    await sends()
    await sends({ answers: 'record' })
    await sends({ recipients: ['bob@example.com'] })
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'queued'])
    expect((await deliveries())[0]?.[2]).toContain('came through a list')
  })

  it('are not sent at all where the limit is none', async () => {
    limits = { ...limits, perHour: 0 }
    await sends()
    expect(await statuses()).toEqual(['cancelled'])
  })

  it('leave what is sent to others, and mails that answer nobody, alone', async () => {
    for (let n = 0; n < 5; n += 1) await sends({ recipients: ['team@acme.test'] })
    for (let n = 0; n < 5; n += 1) await sends({ answers: undefined })
    expect(new Set(await statuses())).toEqual(new Set(['queued']))
    expect(await table.store.get(world.tenant, answersKey(world.tenant, ada))).toBeUndefined()
  })

  it('never go to an own address, whoever sent the mail', async () => {
    await sends({ recipients: ['Desk@acme.test', 'team@acme.test'] })
    expect(await deliveries()).toEqual([
      ['Desk@acme.test', 'cancelled', expect.stringContaining('would come back')],
      ['team@acme.test', 'queued', null],
    ])
  })

  it('are those of processes and subscriptions about a record that a mail made', async () => {
    limits = { ...limits, perHour: 1 }
    await sends({ answers: undefined, source: { model: 'requests', record_id: 42, process_id: 7 } })
    await sends({ answers: 'record', source: { model: 'requests', record_id: 42, subscription_id: 7 } })
    expect(await statuses()).toEqual(['queued', 'cancelled'])
  })

  it('are notifications of people as well, whose mails are counted where they are sent', async () => {
    const notices: Notice[] = []
    const notify = async (_: object, more: readonly Notice[]) => void notices.push(...more)
    const ofProcess = { model: 'requests', record_id: 42, process_id: 7 }
    const bell = { channel: bellChannel, recipients: ['user:3'] }
    for (const send of [{}, { answers: undefined, source: ofProcess }, { answers: undefined }])
      await expandIntent({ ...dependencies(), notify }, world.tenant, await asks({ ...bell, ...send }))
    expect(notices.map(({ answers }) => answers)).toEqual([answersTo([ada]), 'record', undefined])
  })

  it('are counted once when their expansion is repeated, whatever crashes', async () => {
    const uuid = await asks()
    for (let crashAt = 1, crashed = true; crashed; crashAt += 1)
      for (const when of ['before', 'after'] as const) {
        const process = world.startProcess(crashAt, when)
        await expandIntent(dependencies(process), world.tenant, uuid).catch(() => {})
        crashed = process.crashed()
      }
    const row = await table.store.get(world.tenant, answersKey(world.tenant, ada))
    expect(JSON.parse(String(row?.answers))).toHaveLength(1)
    expect(Number(row?.expires_at)).toBeGreaterThanOrEqual(world.clock.now() / 1000 + 3600)
    expect(await statuses()).toEqual(['queued'])
  })

  it('are counted together by instances that work at the same time', async () => {
    const asked = await Promise.all(Array.from({ length: 8 }, () => asks()))
    await Promise.all(asked.map((uuid) => expandIntent(dependencies(), world.tenant, uuid)))
    expect((await statuses()).filter((status) => status === 'queued')).toHaveLength(3)
  })
})
