import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listDeliveries } from '../../../../../../shared/messages/deliveries/administer/list-deliveries.ts'
import { expandIntent } from '../../../../../../shared/messages/deliveries/expand/expand-intent.ts'
import { erasureJob, type ErasureState } from '../../../../../../shared/operations/tenant-life/erasure/erasure-job.ts'
import { tenantPrefix } from '../../../../../../shared/platform/store/keys/key.ts'
import { memoryObjects } from '../../../../../make/services/stores/memory-objects.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type DeliveryWorld, deliveryWorld, testChannel } from '../../../../../make/services/worlds/delivery-world.ts'

let table: SingleTable
let tenants = 900
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const email = 'quagga@acme.test'
const start: ErasureState = { email, chat: null }
const worldOf = () =>
  deliveryWorld(table, ++tenants, () => ({ kind: 'delivered' }), { ...testChannel, type: 'email', config: {} })

/** Runs the steps of an erasure of user 7; answers each state that a step left. `during`: what happens before the nth. */
async function run(
  world: DeliveryWorld,
  state: ErasureState,
  during: Readonly<Record<number, () => Promise<void>>> = {},
  store = table.store,
) {
  const { clock, tenant } = world
  const { listing } = memoryObjects()
  const job = erasureJob({ store, clock, objects: listing, settleMs: 30_000 })
  const at = { id: 1, tenant, actor: { userId: 1, roles: [], isAdministrator: true }, timeIsUp: () => false }
  const left: (ErasureState & { pauseMs?: number })[] = []
  for (let next: unknown = state; left.length < 100;) {
    await during[left.length]?.()
    const step = await job.step(at, { user_id: 7 }, next)
    if ('ended' in step) return left
    left.push({ ...(step.state as ErasureState), ...(step.pauseMs !== undefined && { pauseMs: step.pauseMs }) })
    next = step.state
  }
  throw new Error('the job does not end')
}
const found = async ({ tenant }: DeliveryWorld) =>
  (await listDeliveries({ store: table.store }, tenant, { page: 1, per_page: 100 })).items.map(
    ({ recipient, status }) => [recipient, status],
  )
const expand = (world: DeliveryWorld, uuid: string) => expandIntent(world.startProcess().services, world.tenant, uuid)

describe('the job that erases a person', () => {
  it('cancels what waits for an attempt before everything else', async () => {
    const world = await worldOf()
    await expand(world, await world.ask([email, 'ann@acme.test']))
    const passes: unknown[] = []
    const states = await run(world, start, { 1: async () => void passes.push(await found(world)) })
    expect(states.map(({ phase }) => phase)).toEqual(['copies', 'intents', 'rest', 'copies', 'intents', 'rest'])
    const after = [
      ['ann@acme.test', 'queued'],
      ['erased-7@erased.invalid', 'cancelled'],
    ]
    expect([passes[0], await found(world)]).toEqual([after, after])
  })

  it('waits for what is being expanded meanwhile', async () => {
    const world = await worldOf()
    const uuid = await world.ask([email])
    const states = await run(world, start, { 4: () => expand(world, uuid) })
    expect(states.map(({ phase, open, pauseMs }) => [phase, open, pauseMs])).toEqual([
      ['copies', [], undefined],
      ['intents', [], undefined],
      ['rest', [uuid], undefined],
      ['rest', [uuid], 15_000],
      ['copies', [], 30_000],
      ['intents', [], undefined],
      ['rest', [], undefined],
    ])
    expect(await found(world)).toEqual([['erased-7@erased.invalid', 'failed']])
  })

  it('does not wait for ever', async () => {
    const world = await worldOf()
    await world.ask([email])
    expect(await run(world, start)).toHaveLength(46)
  })

  it('looks once more, for what a request in flight wrote', async () => {
    const world = await worldOf()
    await run(world, start, { 3: async () => expand(world, await world.ask([email])) })
    expect(await found(world)).toEqual([['erased-7@erased.invalid', 'cancelled']])
  })

  it.each([[[email]], [[` ${email.toUpperCase()}`]], [['user:7']], [['ann@acme.test', email]]])(
    'finds a message to %j that was sent',
    async (recipients) => {
      const world = await worldOf()
      const uuid = await world.ask(recipients)
      await expand(world, uuid)
      await world.sweepUntilIdle()
      await run(world, start)
      const places = (await found(world)).filter(([recipient]) => recipient === 'erased-7@erased.invalid')
      expect(places).toHaveLength(1)
    },
  )

  it("reads nothing of other companies, and pays by what is the person's", async () => {
    const [world, other] = [await worldOf(), await worldOf()]
    await expand(world, await world.ask([email]))
    await expand(world, await world.ask(['ann@acme.test']))
    for (let n = 0; n < 30; n += 1) await expand(other, await other.ask([email]))
    const before = await table.itemsOf(tenantPrefix(other.tenant))
    const calls: { readonly name: string; readonly keys: string }[] = []
    const metered = table.storeThrough((name, call, input) => {
      calls.push({ name, keys: JSON.stringify(input) })
      return call()
    })
    await run(world, start, {}, metered)
    expect(calls.map(({ name }) => name)).not.toContain('Scan')
    expect(calls.filter(({ keys }) => keys.includes(tenantPrefix(other.tenant)))).toEqual([])
    expect(await table.itemsOf(tenantPrefix(other.tenant))).toEqual(before)
    // Two looks: pages of nine lists each, what waits, what is held back in two ways, the rows of one intent and its delivery.
    expect(calls.length).toBeLessThan(88)
  })
})
