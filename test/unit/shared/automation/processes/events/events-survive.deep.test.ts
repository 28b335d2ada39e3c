import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AdvanceDependencies } from '../../../../../../shared/automation/processes/dependencies.ts'
import { deliverMessage } from '../../../../../../shared/automation/processes/events/deliver-message.ts'
import { sendSignal } from '../../../../../../shared/automation/processes/events/send-signal.ts'
import { doTenantWork } from '../../../../../../shared/automation/processes/events/tenant-work.ts'
import { eventWaitItem } from '../../../../../../shared/automation/processes/rows/event-rows.ts'
import { instanceRowsPartition } from '../../../../../../shared/platform/store/keys/processes.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { inARow } from '../../../../../make/builders/processes/processes.ts'
import { Crash, crashesUpTo, crashing } from '../../../../../make/services/stores/crashing-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { openPlan, type Plan } from '../../../../../make/services/worlds/plan-world.ts'

let single: SingleTable
let plan: Plan
let record = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  record += 1
  plan = await openPlan(single, record)
})

const config = { list: async () => [] } as never
const servicesOf = (store: Store) => ({ store, clock: plan.clock, config })
const message = (name: string, more: object = {}) => ({
  name,
  key: String(record),
  variables: { amount: 7 },
  messageId: undefined,
  ttlSeconds: 60,
  by: { userId: 3 },
  hops: 0,
  wakesRunner: false,
  ...more,
})
const waitsFor = (name: string): string =>
  inARow(
    '<startEvent id="s"/>',
    `<intermediateCatchEvent id="c" name="${name}"><messageEventDefinition/></intermediateCatchEvent>`,
    '<endEvent id="e"/>',
  )
const left = async (name: string) =>
  (await single.itemsOf(`T#${plan.tenant.id}#PM#${name}`))
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'process_message_head')

const crashes = crashesUpTo(8)

describe('a message that was kept', () => {
  it.each(crashes)('is taken once by an instance whose worker crashes $when write $at', async ({ at, when }) => {
    const name = `kept ${record}`
    expect(await deliverMessage(servicesOf(single.store), plan.tenant, message(name))).toEqual({
      delivered: [],
      kept: true,
    })
    const id = await plan.make(waitsFor(name))
    const worker = crashing(single.store, at, when)
    await plan.advance(id, worker.store).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
    plan.clock.advance(30_000)
    await plan.advance(id)
    expect(await plan.instance(id)).toMatchObject({ status: 'completed', variables: { amount: 7 } })
    expect(await left(name)).toEqual([])
  })

  it('goes to one of two that begin to wait', async () => {
    const name = `one ${record}`
    await deliverMessage(servicesOf(single.store), plan.tenant, message(name))
    const ids = [await plan.make(waitsFor(name)), await plan.make(waitsFor(name))]
    await Promise.all(ids.map((id) => plan.advance(id)))
    const statuses = await Promise.all(ids.map(async (id) => (await plan.instance(id)).status))
    expect(statuses.toSorted()).toEqual(['completed', 'running'])
  })

  it('is not taken when its time is over', async () => {
    const name = `late ${record}`
    await deliverMessage(servicesOf(single.store), plan.tenant, message(name))
    plan.clock.advance(61_000)
    const id = await plan.run(waitsFor(name))
    expect((await plan.instance(id)).status).toBe('running')
  })

  it('without a key goes to the first that waits for its name', async () => {
    const name = `any ${record}`
    await deliverMessage(servicesOf(single.store), plan.tenant, message(name, { key: undefined }))
    const id = await plan.run(waitsFor(name))
    expect((await plan.instance(id)).status).toBe('completed')
  })
})

describe('a message that is waited for', () => {
  it.each(crashes.slice(0, 4))(
    'is delivered once by a sender who crashes $when write $at and repeats',
    async ({ at, when }) => {
      const name = `sent ${record}`
      const id = await plan.run(waitsFor(name))
      const worker = crashing(single.store, at, when)
      const sent = message(name, { messageId: `m ${record}` })
      await deliverMessage(servicesOf(worker.store), plan.tenant, sent).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      expect(await deliverMessage(servicesOf(single.store), plan.tenant, sent)).toEqual({
        delivered: [id],
        kept: false,
      })
      expect(await plan.open(id)).toEqual(['event'])
      await plan.advance(id)
      expect((await plan.instance(id)).status).toBe('completed')
    },
  )

  it('is sent again when its receiver was cancelled before it came', async () => {
    const name = `again ${record}`
    const id = await plan.run(waitsFor(name))
    await plan.command(id, { kind: 'cancel' })
    plan.clock.advance(1)
    await deliverMessage(servicesOf(single.store), plan.tenant, message(name))
    await plan.advance(id)
    expect((await plan.instance(id)).status).toBe('cancelled')
    expect(await left(name)).toEqual(['process_message'])
  })
})

describe('a signal to 1,000 instances', () => {
  it('survives crashes half way, and reaches nobody twice', async () => {
    const name = `signal ${record}`
    const ids = Array.from({ length: 1000 }, (_, index) => 100_000 + record * 10_000 + index)
    await single.store.putMany(
      plan.tenant,
      ids.map((id) =>
        eventWaitItem(
          plan.tenant,
          { id, model: 'plans', recordId: record },
          { kind: 'event', on: 'signal', name, elementId: 'c', executionId: 'c#1' },
        ),
      ),
    )
    const services = servicesOf(single.store)
    const { matched } = await sendSignal(services, plan.tenant, { name, variables: {} }, { userId: 3 })
    expect(matched).toBe(1000)
    // What begins to wait after it was sent is not meant.
    const later = eventWaitItem(
      plan.tenant,
      { id: 99, model: 'plans', recordId: record },
      { kind: 'event', on: 'signal', name, elementId: 'c', executionId: 'c#2' },
    )
    await single.store.write(plan.tenant, { put: later })
    for (const at of [1, 333, 500]) {
      const broken = { ...services, store: crashing(single.store, at, 'after').store } as unknown as AdvanceDependencies
      await expect(doTenantWork(broken, plan.tenant, Infinity)).rejects.toThrow(Crash)
    }
    expect(await doTenantWork(services as unknown as AdvanceDependencies, plan.tenant, Infinity)).toBe(true)
    const counts = await Promise.all(
      ids.map(async (id) => {
        const { items } = await single.store.query(plan.tenant, { pk: instanceRowsPartition(plan.tenant, id) })
        return items.filter(({ kind }) => kind === 'process_command').length
      }),
    )
    expect(counts.filter((count) => count !== 1)).toEqual([])
    expect((await single.itemsOf(`T#${plan.tenant.id}#PG#${name}`)).map(({ instance_id }) => instance_id)).toEqual([99])
  })
})
