import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { processEffectKey } from '../../../../../../shared/platform/store/keys/processes.ts'
import { sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { removeRecord } from '../../../../../../shared/records/records/delete/remove-record.ts'
import { recordEffects } from '../../../../../../shared/records/records/effects/record-effects.ts'
import { changeRecord } from '../../../../../../shared/records/records/write/change-record.ts'
import type { RecordAccess } from '../../../../../../shared/scripts/api/record-access.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const letters = tableOf(101, 'letters', [
  { name: 'title', type: 'text' },
  { name: 'note', type: 'text' },
])
const bills = tableOf(102, 'bills', [{ name: 'title', type: 'text' }])
const clock = frozenClock()
let single: SingleTable
let instance = 0
let writes = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(() => {
  instance += 1
  writes = 0
})

const records = (store: Store = single.store) => recordDependencies(store, clock, [letters, bills])
/** What a step of this test's instance writes in one try; each call is the work from its beginning. */
const work = (tryId = 'try 1', store: Store = single.store) =>
  recordEffects(
    records(store),
    actor,
    { kind: 'process_effect', tryId, keyOf: (effect) => processEffectKey(tenant, instance, effect) },
    () => void (writes += 1),
  )
const reads = {} as RecordAccess
const script = (tryId?: string, store?: Store) => work(tryId, store).accessFor('script', reads)
const living = async () => Number((await single.store.get(tenant, sequenceKey(tenant, 'letters')))?.live ?? 0)
/** How many letters there are more or fewer after `run`. */
async function newLetters(run: () => Promise<unknown>): Promise<number> {
  const before = await living()
  await run()
  return (await living()) - before
}

describe('a record that work creates', () => {
  it('is created once in a try', async () => {
    let ids: unknown[] = []
    const created = await newLetters(async () => {
      for (const title of ['A', 'A']) ids = [...ids, (await work().create('make', 'letters', { title })).id]
    })
    expect([created, ids[0], writes]).toEqual([1, ids[1], 2])
  })

  it('is created once when a worker whose lease has expired is still at it', async () => {
    const create = (store?: Store) => work('try 1', store).create('make', 'letters', { title: 'A' })
    let first: unknown
    const created = await newLetters(async () => {
      const overtaken = interruptedStore(single, 'TransactWriteItems', async () => (first = (await create()).id))
      expect((await create(overtaken)).id).toBe(first)
    })
    expect(created).toBe(1)
  })

  it('is the same after a retry, with what the retry sends', async () => {
    const { id } = await work('try 1').create('make', 'letters', { title: 'A', note: 'kept' })
    await changeRecord(records(), actor, letters, Number(id), { note: 'changed by a person' })
    const created = await newLetters(async () => {
      const same = await work('try 2').create('make', 'letters', { title: 'A', note: 'kept' })
      expect(same).toMatchObject({ id, title: 'A', note: 'changed by a person', version: 2 })
      expect(await work('try 3').create('make', 'letters', { title: 'B' })).toMatchObject({
        id,
        title: 'B',
        version: 3,
      })
      expect(await work('try 3').create('make', 'letters', { title: 'B' })).toMatchObject({ id, version: 3 })
    })
    expect(created).toBe(0)
  })

  it('is created again by a retry when somebody has deleted it, and not by a repeat', async () => {
    const { id } = await work('try 1').create('make', 'letters', { title: 'A' })
    await removeRecord(records(), actor, letters, Number(id))
    expect(await work('try 1').create('make', 'letters', { title: 'A' })).toEqual({ id, title: 'A' })
    const again = await work('try 2').create('make', 'letters', { title: 'A' })
    expect(again).toMatchObject({ title: 'A', version: 1 })
    expect(again.id).not.toBe(id)
  })
})

describe('a record that work updates', () => {
  it('is updated once in a try, and keeps what people change after it', async () => {
    const { id } = await work().create('make', 'letters', { title: 'A' })
    await work().update('set', 'letters', Number(id), { title: 'B' })
    await changeRecord(records(), actor, letters, Number(id), { title: 'by a person' })
    expect(await work().update('set', 'letters', Number(id), { title: 'B' })).toMatchObject({ title: 'by a person' })
    expect(await work('try 2').update('set', 'letters', Number(id), { title: 'B' })).toMatchObject({ title: 'B' })
  })
})

describe('the writes of a script', () => {
  const write = async (api: RecordAccess) => {
    const first = await api.create('letters', { title: 'first' })
    const second = await api.create('letters', { title: 'second' })
    const bill = await api.create('bills', { title: 'bill' })
    await api.update('letters', Number(first.id), { note: 'noted' })
    await api.update('letters', Number(second.id), { note: 'noted' })
    await api.remove('bills', Number(bill.id))
    return [first.id, second.id, bill.id]
  }

  it('are made once each in a try, in their order', async () => {
    const created = await newLetters(async () => {
      const ids = await write(script())
      expect(new Set(ids.slice(0, 2)).size).toBe(2)
      expect(await write(script())).toEqual(ids)
    })
    expect(created).toBe(2)
  })

  it('find the records of the failed try by table, also when a retry does something else before', async () => {
    const first = await script('try 1').create('letters', { title: 'first' })
    const retry = script('try 2')
    await retry.create('bills', { title: 'something else' })
    expect((await retry.create('letters', { title: 'first' })).id).toBe(first.id)
  })

  it('delete a record that somebody else has deleted, and no record that there never was', async () => {
    const { id } = await work().create('make', 'letters', { title: 'A' })
    await removeRecord(records(), actor, letters, Number(id))
    await script().remove('letters', Number(id))
    await script().remove('letters', Number(id))
    await expect(script('try 2').remove('letters', 5_000)).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('delete a record that a worker of the same try deletes first', async () => {
    const { id } = await work().create('make', 'letters', { title: 'A' })
    const overtaken = interruptedStore(single, 'TransactWriteItems', () => script().remove('letters', Number(id)))
    await script('try 1', overtaken).remove('letters', Number(id))
    expect(writes).toBe(3)
  })
  it('have nothing left to delete when two workers find that somebody else has deleted it', async () => {
    const { id } = await work().create('make', 'letters', { title: 'A' })
    await removeRecord(records(), actor, letters, Number(id))
    const overtaken = interruptedStore(single, 'PutItem', () => script().remove('letters', Number(id)))
    await script('try 1', overtaken).remove('letters', Number(id))
    expect(writes).toBe(3)
  })
})
