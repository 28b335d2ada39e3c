import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expandIntent, listDeliveries } from '../../../../../../shared/messages/deliveries/service.ts'
import { type ErasureState, erasureJob } from '../../../../../../shared/operations/tenant-life/erasure/erasure-job.ts'
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
) {
  const { clock, tenant } = world
  const scan = async () => ({ items: await table.itemsOf(tenantPrefix(tenant)) })
  const { listing } = memoryObjects()
  const job = erasureJob({ store: table.store, clock, scan: scan as never, objects: listing })
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
const expand = (world: DeliveryWorld, uuid: string) => expandIntent(world.startProcess().deps, world.tenant, uuid)

describe('the job that erases a person', () => {
  it('cancels what waits for an attempt before it passes over the table', async () => {
    const world = await worldOf()
    await expand(world, await world.ask([email, 'ann@acme.test']))
    const passes: unknown[] = []
    const states = await run(world, start, { 1: async () => void passes.push(await found(world)) })
    expect(states.map(({ phase }) => phase)).toEqual(['copies', 'table', 'rest'])
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
      ['table', [], undefined],
      ['rest', [uuid], undefined],
      ['rest', [uuid], 15_000],
    ])
    expect(await found(world)).toEqual([['erased-7@erased.invalid', 'failed']])
  })

  it('does not wait for ever', async () => {
    const world = await worldOf()
    await world.ask([email])
    expect(await run(world, start)).toHaveLength(43)
  })

  it('continues a pass over the table that an earlier release began', async () => {
    const world = await worldOf()
    await expand(world, await world.ask([email]))
    const states = await run(world, { email, after: { pk: 'a', sk: 'b' } })
    expect([states.map(({ phase }) => phase), await found(world)]).toEqual([
      ['rest'],
      [['erased-7@erased.invalid', 'cancelled']],
    ])
  })
})
