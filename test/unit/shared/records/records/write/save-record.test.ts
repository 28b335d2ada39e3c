import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { recordKey, uniqueKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Condition, Write } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { isNew } from '../../../../../../shared/platform/store/writes/conditions.ts'
import { ConditionFailed, TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { saveRecord, unchangedAt } from '../../../../../../shared/records/records/write/save-record.ts'
import { findTaken, guardKey, guardWrites } from '../../../../../../shared/records/records/write/unique-guards.ts'
import type { Table } from '../../../../../../shared/tables/tables/table.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { inEnglish } from '../../../../../make/oracles/in-english.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
const cars = {
  ...tableOf(104, 'cars', [{ name: 'plate', type: 'text', unique: true }]),
  uniqueFields: ['plate'],
} as Table
let single: SingleTable
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(() => {
  id += 1
})

type Data = Readonly<Record<string, unknown>>
const item = (version: number, more: Item = {}, of = id) => ({
  ...recordKey(tenant, 'cars', of),
  version,
  write_id: crypto.randomUUID(),
  ...more,
})
/** Saves the record without or, with unique values, in a transaction. */
const save = (
  put: ReturnType<typeof item>,
  condition: Condition,
  [before, after]: readonly (Data | undefined)[] = [],
) => saveRecord(single.store, tenant, put, condition, guardWrites(tenant, cars, Number(put.sk), before, after))
const stored = async (of = id) => (await single.store.get(tenant, recordKey(tenant, 'cars', of)))?.version
const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
const plate = (text: string) => ({ plate: `${text} ${id}` })
const taken = async (text: string, of: number) =>
  inEnglish(await findTaken(single.store, tenant, cars, of, undefined, plate(text)))

describe.each([
  ['alone', []],
  ['with unique values', [{ plate: 'W 1' }, { plate: 'W 2' }]],
])('a record that is saved %s', (_how, values) => {
  const own = (data: readonly Data[]) => data.map((one) => ({ plate: `${String(one['plate'])} ${id}` }))

  it('replaces the version that was read, and no other', async () => {
    await save(item(1), isNew)
    await save(item(2), unchangedAt(1), own(values))
    const error = await reason(save(item(2), unchangedAt(1), own(values)))
    expect(error).toBeInstanceOf(ConditionFailed)
    expect([(error as ConditionFailed).existing?.version, await stored()]).toEqual([2, 2])
  })

  it('is not saved while it is being deleted', async () => {
    await save(item(1, { deleted_at: '2026-11-20T08:00:00.000Z' }), isNew)
    await expect(save(item(2), unchangedAt(1), own(values))).rejects.toThrow(ConditionFailed)
    expect(await stored()).toBe(1)
  })

  it('is saved with the pending hooks that were read, and no others', async () => {
    await save(item(1, { after_due: 'soon' }), isNew)
    await expect(save(item(2), unchangedAt(1, 'later'), own(values))).rejects.toThrow(ConditionFailed)
    await expect(save(item(2), unchangedAt(2, 'soon'), own(values))).rejects.toThrow(ConditionFailed)
    await save(item(2), unchangedAt(1, 'soon'), own(values))
    await save(item(3, { deleted_at: '2026-11-20T08:00:00.000Z', after_due: 'soon' }), unchangedAt(2))
    await expect(save(item(4), unchangedAt(3, 'soon'), own(values))).rejects.toThrow(ConditionFailed)
    expect(await stored()).toBe(3)
  })
})

describe('saving a record', () => {
  /** The calls that saving makes; `fail`: the failure of each. */
  const callsOf = async (values: readonly Data[], fail?: Error) => {
    const calls: string[] = []
    const store = single.storeThrough(async (operation, call) => {
      calls.push(operation)
      if (fail) throw fail
      return call()
    })
    const error = await reason(
      saveRecord(store, tenant, item(1), isNew, guardWrites(tenant, cars, id, ...pair(values))),
    )
    return { calls, error }
  }
  const pair = ([before, after]: readonly Data[]) => [before, after] as const

  it('is one PutItem, which costs half, unless other rows go with it', async () => {
    expect(await callsOf([])).toEqual({ calls: ['PutItem'], error: undefined })
    id += 1
    expect(await callsOf([{}, plate('W')])).toEqual({ calls: ['TransactWriteItems'], error: undefined })
  })

  it('passes on failures that say nothing about the record', async () => {
    const failure = new Error('the connection was lost')
    expect((await callsOf([{}, plate('W')], failure)).error).toBe(failure)
  })
})

describe('a unique value', () => {
  it('belongs to one record until that gives it up', async () => {
    const other = id + 1000
    await save(item(1), isNew, [undefined, plate('W')])
    const error = await reason(save(item(1, {}, other), isNew, [undefined, plate('W')]))
    expect([error, (error as Invalid).errors]).toEqual([
      expect.any(Invalid),
      { plate: ['The plate has already been taken.'] },
    ])
    expect([await taken('W', other), await taken('W', id), await stored(other)]).toEqual([
      { plate: ['The plate has already been taken.'] },
      {},
      undefined,
    ])
    await save(item(2), unchangedAt(1), [plate('W'), plate('V')])
    await save(item(1, {}, other), isNew, [undefined, plate('W')])
    expect(await stored(other)).toBe(1)
  })

  it('is not given up for another record', async () => {
    const other = id + 1000
    await save(item(1), isNew, [undefined, plate('W')])
    await save(item(1, {}, other), isNew)
    await expect(save(item(2, {}, other), unchangedAt(1), [plate('W'), plate('V')])).rejects.toThrow(Invalid)
    expect([await taken('W', other), await taken('V', id)]).toEqual([
      { plate: ['The plate has already been taken.'] },
      {},
    ])
  })

  it('may be reserved again by the record that has it', async () => {
    await save(item(1), isNew, [undefined, plate('W')])
    await save(item(2), unchangedAt(1), [undefined, plate('W')])
    expect(await stored()).toBe(2)
  })

  it.each([undefined, null, ''])('is not %j', (value) => {
    expect(guardWrites(tenant, cars, id, { plate: value }, { plate: value })).toEqual([])
    expect(guardWrites(tenant, cars, id, undefined, { plate: value })).toEqual([])
  })

  it('that stays is not written again', () => {
    expect(guardWrites(tenant, cars, id, plate('W'), plate('W'))).toEqual([])
  })

  it('of a field that became unique later is reserved apart from the earlier ones', () => {
    const since = { name: 'cars', unique_since: { plate: 2 } } as never
    expect(guardKey(tenant, cars, 'plate', 'W')).toEqual(uniqueKey(tenant, 'cars', 'plate', 'W'))
    expect(guardKey(tenant, since, 'plate', 'W')).toEqual(uniqueKey(tenant, 'cars', 'plate@2', 'W'))
  })
})

describe('a write that joins the transaction of a record', () => {
  const others = (of: number): Write[] => [{ put: { ...recordKey(tenant, 'joined', of) }, if: isNew }]
  const saveWith = (condition: Condition, guards: Data, of: number) =>
    saveRecord(single.store, tenant, item(2), condition, guardWrites(tenant, cars, id, undefined, guards), others(of))

  it('is made together with it', async () => {
    await saveWith(isNew, plate('W'), id)
    await expect(saveWith(unchangedAt(2), plate('V'), id)).rejects.toThrow(TransactionRefused)
    expect([await stored(), await taken('V', 0)]).toEqual([2, {}])
  })

  it('is reported before what else was refused', async () => {
    await saveWith(isNew, plate('W'), id)
    await expect(saveWith(unchangedAt(7), plate('V'), id)).rejects.toThrow(TransactionRefused)
    await expect(saveWith(unchangedAt(7), plate('V'), id + 5000)).rejects.toThrow(ConditionFailed)
  })
})
