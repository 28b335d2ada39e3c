import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isoTime } from '../../../../../../shared/kernel/time/clock.ts'
import { takeDueWork } from '../../../../../../shared/platform/store/due/due-work.ts'
import { recordKey, sequenceKey, tombstoneKey } from '../../../../../../shared/platform/store/keys/records.ts'
import {
  beginCreate,
  endCreate,
  maxCreateMs,
  openCreates,
  type OpenCreate,
  discountAbandonedCreates,
} from '../../../../../../shared/platform/store/sequence/open-creates.ts'
import {
  beginRecount,
  moveRecordCount,
  resumeRecount,
} from '../../../../../../shared/platform/store/sequence/recount.ts'
import { noteTable, readSequence } from '../../../../../../shared/platform/store/sequence/sequence.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { ConditionFailed, TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { repairCount } from '../../../../../../shared/records/records/count/repair-count.ts'
import { dueCounts } from '../../../../../../shared/records/records/due-work.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
const startMs = Date.parse('2026-11-23T08:00:00.000Z')
let single: SingleTable
let nowMs = startMs
let model = ''
let tables = 0
const clock = { now: () => nowMs, uuid: () => crypto.randomUUID() }
beforeAll(async () => {
  single = await openSingleTable()
})
beforeEach(() => {
  nowMs = startMs
  model = `healed${(tables += 1)}`
})
afterAll(() => single?.close())

const begin = (store: Store = single.store): Promise<OpenCreate> =>
  beginCreate(store, clock, tenant, { id: 1, name: model, version: 1 })
const put = ({ id }: OpenCreate) => single.store.write(tenant, { put: { ...recordKey(tenant, model, id) } })
/** A whole create, as an instance makes it. */
async function create(): Promise<OpenCreate> {
  const open = await begin()
  await put(open)
  endCreate(single.store, tenant, model, open)
  return open
}
const remove = ({ id }: OpenCreate) =>
  single.store.transact(
    tenant,
    [
      { remove: recordKey(tenant, model, id) },
      { put: { ...tombstoneKey(tenant, model, id) } },
      moveRecordCount(tenant, model, [id], -1),
    ],
    crypto.randomUUID(),
  )
const row = () => single.store.get(tenant, sequenceKey(tenant, model))
const live = async () => (await readSequence(single.store, tenant, model)).live
const heal = (store: Store = single.store) => repairCount({ store, clock, settleMs: maxCreateMs }, tenant, model)
/** The tables a sweep finds now, and how long their messages wait. */
const due = async (withinMs = 0) =>
  (await takeDueWork(dueCounts, { store: single.store, clock }, 100, withinMs + 1))
    .filter(({ wake }) => wake.model === model)
    .map(({ delaySeconds }) => delaySeconds)
const later = () => (nowMs += maxCreateMs)

describe('a create that was cut off', () => {
  it('is taken out of the count, once, when it can no longer store its record', async () => {
    await create()
    const { id } = await begin()
    await create()
    expect(await live()).toBe(3)
    nowMs += maxCreateMs - 1
    expect([await heal(), await live()]).toEqual([[], 3])
    nowMs += 1
    expect([await heal(), await live()]).toEqual([[id], 2])
    expect([await heal(), await live()]).toEqual([[], 2])
  })

  it('is taken out once by sweeps that overlap', async () => {
    await Promise.all([begin(), begin(), create()])
    later()
    await Promise.allSettled([heal(), heal(), heal()])
    expect(await live()).toBe(1)
  })

  it('is found among more than one look takes out', async () => {
    for (let n = 0; n < 45; n += 1) await begin()
    later()
    expect(await heal()).toHaveLength(40)
    expect(await due()).toEqual([0])
    expect(await heal()).toHaveLength(5)
    expect(await live()).toBe(0)
  })

  it('is not taken for one whose record was stored and deleted since', async () => {
    await remove(await create())
    later()
    expect([await heal(), await live()]).toEqual([[], 0])
  })

  it('is not taken for one whose record is deleted, or restored, between the reads', async () => {
    const open = await create()
    later()
    let reads = 0
    const disturbed = single.storeThrough(async (operation, call) => {
      if (operation === 'TransactWriteItems' && reads++ === 0) await put(open)
      return call()
    })
    await single.store.write(tenant, { remove: recordKey(tenant, model, open.id) })
    await expect(heal(disturbed)).rejects.toThrow(TransactionRefused)
    expect([await heal(), await live()]).toEqual([[], 1])
  })

  it('is not given back a second time by its own request', async () => {
    const open = await begin()
    later()
    await heal()
    await single.store.write(tenant, discountAbandonedCreates(tenant, model, [open]))
    expect(await live()).toBe(0)
  })
})

describe('a refused create', () => {
  it('is given back at once, and no sweep does it again', async () => {
    await create()
    const open = await begin()
    await single.store.write(tenant, discountAbandonedCreates(tenant, model, [open]))
    expect(await live()).toBe(1)
    later()
    expect([await heal(), await live()]).toEqual([[], 1])
  })

  it('is given back once when the answer of that was lost', async () => {
    const open = await begin()
    for (let n = 0; n < 3; n += 1) await single.store.write(tenant, discountAbandonedCreates(tenant, model, [open]))
    expect(await live()).toBe(0)
  })
})

describe('the id of a create', () => {
  it('is taken once when the answer was lost and the call is repeated', async () => {
    const repeating = single.storeThrough(async (operation, call) => {
      if (operation === 'UpdateItem') await call()
      return call()
    })
    expect(await begin(repeating)).toMatchObject({ id: 1 })
    expect([await live(), await begin()]).toMatchObject([1, { id: 2 }])
  })

  it('is refused when the table was changed, and nothing is counted', async () => {
    await single.store.write(tenant, noteTable(tenant, { id: 1, name: model, version: 2 }))
    await expect(begin()).rejects.toThrow(ConditionFailed)
    await single.store.write(tenant, noteTable(tenant, { id: 2, name: model, version: 1 }))
    await expect(begin()).rejects.toThrow(ConditionFailed)
    expect([await live(), openCreates(await row())]).toEqual([0, []])
  })
})

describe('a table without creates that were cut off', () => {
  it('is due once after its creates, and costs three calls', async () => {
    for (let n = 0; n < 20; n += 1) await create()
    expect(openCreates(await row())).toHaveLength(1)
    expect(await due()).toEqual([])
    expect(await due(maxCreateMs)).toEqual([maxCreateMs / 1000])
    later()
    const calls: string[] = []
    const counting = single.storeThrough((operation, call) => {
      calls.push(operation)
      return call()
    })
    expect(await heal(counting)).toEqual([])
    expect(calls).toEqual(['GetItem', 'BatchGetItem', 'UpdateItem'])
    expect(Object.keys((await row()) ?? {}).sort()).toEqual(['live', 'next', 'pk', 'sk'])
    nowMs += 24 * 3_600_000
    expect(await due()).toEqual([])
  })

  it('stays due while a create may still be in flight', async () => {
    await begin()
    nowMs += 20_000
    const young = await begin()
    nowMs += 10_000
    expect(await heal()).toEqual([1])
    expect(openCreates(await row()).map(({ id }) => id)).toEqual([young.id])
    expect((await row())?.s20).toBe(`${isoTime(young ? startMs + 50_000 : 0)}#1#${model}`)
    nowMs += 20_000
    expect([await due(), await heal(), await live()]).toEqual([[0], [2], 0])
  })

  it('stays due when a create begins during the look', async () => {
    await create()
    later()
    let disturbed = false
    const busy = single.storeThrough(async (operation, call) => {
      if (operation === 'UpdateItem' && !disturbed) {
        disturbed = true
        await begin()
      }
      return call()
    })
    await heal(busy)
    later()
    expect([await due(), await heal(), await live()]).toEqual([[0], [2], 1])
  })
})

describe('a recount', () => {
  const recount = async (id = 'run') => resumeRecount(single.store, tenant, model, id, () => false)

  it('takes out what was cut off before it began, and its mark', async () => {
    await create()
    await begin()
    await single.store.write(tenant, beginRecount(tenant, model, 'run'))
    const young = await begin()
    expect(await recount()).toMatchObject({ was: 3, is: 2 })
    expect(openCreates(await row()).map(({ id }) => id)).toEqual([young.id])
    later()
    expect([await heal(), await live()]).toEqual([[young.id], 1])
  })

  it.each(['before', 'beyond'])('is exact beside a sweep that takes out a create from %s its start', async (when) => {
    await create()
    if (when === 'before') await begin()
    await single.store.write(tenant, beginRecount(tenant, model, 'run'))
    if (when === 'beyond') await begin()
    later()
    expect(await heal()).toHaveLength(1)
    await recount()
    expect(await live()).toBe(1)
  })
})
