import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Write } from '../../../../../../shared/platform/store/store.ts'
import { equals, exists, isNew } from '../../../../../../shared/platform/store/writes/conditions.ts'
import { ConditionFailed, TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
let single: SingleTable
let key = { pk: '', sk: 'a' }
let letters = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  key = { pk: `T#1#letter ${(letters += 1)}`, sk: 'a' }
  await single.store.write(tenant, { put: { ...key, text: 'first', n: 1 } })
})
const stored = () => single.store.get(tenant, key)

const raise = (condition?: Extract<Write, { update: object }>['if']): Write => ({
  update: key,
  change: { expression: 'SET #t = :t ADD n :one', names: { '#t': 'text' }, values: { ':t': 'second', ':one': 1 } },
  if: condition,
})
const kinds: readonly (readonly [string, () => Write, () => Write, object | undefined])[] = [
  ['put', () => ({ put: { ...key, text: 'second' } }), () => ({ put: { ...key }, if: isNew }), { text: 'second' }],
  ['update', () => raise(equals('text', 'first')), () => raise(equals('text', 'other')), { text: 'second', n: 2 }],
  ['removal', () => ({ remove: key, if: exists }), () => ({ remove: key, if: equals('n', 2) }), undefined],
]

describe.each(kinds)('a %s', (_kind, allowed, refused, after) => {
  const expected = () => after && { ...key, ...after }

  it('is made alone, and in a transaction', async () => {
    await single.store.write(tenant, allowed())
    expect(await stored()).toEqual(expected())
    await single.store.write(tenant, { put: { ...key, text: 'first', n: 1 } })
    await single.store.transact(tenant, [allowed()], crypto.randomUUID())
    expect(await stored()).toEqual(expected())
  })

  it('is refused when its condition does not hold, and tells what is stored', async () => {
    const before = await stored()
    const alone = await single.store.write(tenant, refused()).catch((error: unknown) => error)
    const together = await single.store
      .transact(tenant, [{ put: { ...key, sk: 'b' } }, refused()], crypto.randomUUID())
      .catch((error: unknown) => error)
    expect(alone).toBeInstanceOf(ConditionFailed)
    expect(together).toBeInstanceOf(TransactionRefused)
    expect((alone as ConditionFailed).existing).toEqual(before)
    expect((together as TransactionRefused).reasons).toEqual([
      { failed: false, existing: undefined },
      { failed: true, existing: before },
    ])
    expect([await stored(), await single.store.get(tenant, { ...key, sk: 'b' })]).toEqual([before, undefined])
  })
})

describe('a check', () => {
  it('decides over the other writes of its transaction', async () => {
    const write = (condition: Parameters<typeof raise>[0]) =>
      single.store.transact(tenant, [{ put: { ...key, sk: 'b' } }, { check: key, if: condition! }], crypto.randomUUID())
    await expect(write(equals('n', 2))).rejects.toThrow(TransactionRefused)
    expect(await single.store.get(tenant, { ...key, sk: 'b' })).toBeUndefined()
    await write(equals('n', 1))
    expect(await single.store.get(tenant, { ...key, sk: 'b' })).toBeDefined()
  })

  it('alone is refused, and changes nothing', async () => {
    await expect(single.store.write(tenant, { check: key, if: exists })).rejects.toThrow('belongs in a transaction')
    expect(await stored()).toBeDefined()
  })
})

it('an update answers the item after it', async () => {
  const update = raise() as Extract<Write, { update: object }>
  expect(await single.store.update(tenant, update)).toEqual({ ...key, text: 'second', n: 2 })
})
