import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isoTime } from '../../../../../../shared/kernel/time/clock.ts'
import { recordItem, type RecordWriter } from '../../../../../../shared/platform/store/rows/write-record-row.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { keeperOn, livingRow, model, tenantWith } from '../../../../../make/builders/lists/kept-columns.ts'
import { readColumnItems } from '../../../../../make/oracles/column-oracle.ts'
import { expectFolded } from '../../../../../make/oracles/expect-folded.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
let tenant = tenantWith(1)
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())
const nextTenant = () => (tenant = tenantWith(tenant.id + 1))

const author = () => ({ tenant, userId: 1, roles: [], isAdministrator: true }) as unknown as RecordWriter
const read = () => readColumnItems(single, tenant.id, model)

describe('a long log', () => {
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => livingRow(from + index, 1, { title: `T${from + index}` }))

  it('is folded at a number of rows that grows with the table', async () => {
    nextTenant()
    const keeper = keeperOn(single.store, { limits: { foldRows: 10 } })
    await keeper.append(tenant, model, rows(1, 9))
    await keeper.foldIfLong(tenant, model)
    expect((await read()).manifest.rev).toBe(0)
    await keeper.append(tenant, model, rows(10, 2000))
    await keeper.foldIfLong(tenant, model)
    expect((await read()).manifest).toMatchObject({ rev: 1, n: 2009, live: 2009 })
    await keeper.append(tenant, model, rows(3000, 31))
    await keeper.foldIfLong(tenant, model)
    expect((await read()).manifest.rev).toBe(1)
    await keeper.append(tenant, model, rows(4000, 1))
    await keeper.foldIfLong(tenant, model)
    expect((await read()).manifest.rev).toBe(2)
  })

  it('is folded at a number of bytes that grows with the blocks', async () => {
    nextTenant()
    const keeper = keeperOn(single.store, { limits: { foldBytes: 20_000 } })
    const large = (id: number, bytes: number) => [livingRow(id, 1, { code: randomBytes(bytes).toString('base64url') })]
    await keeper.append(tenant, model, large(1, 19_000))
    await keeper.foldIfLong(tenant, model)
    expect((await read()).manifest.rev).toBe(0)
    await keeper.append(tenant, model, large(2, 200_000))
    await keeper.append(tenant, model, large(3, 200_000))
    await keeper.foldIfLong(tenant, model)
    expect((await read()).manifest.rev).toBe(1)
    await keeper.append(tenant, model, large(4, 21_000))
    await keeper.foldIfLong(tenant, model)
    expect((await read()).manifest.rev).toBe(1)
    await keeper.append(tenant, model, large(5, 6_000))
    await keeper.foldIfLong(tenant, model)
    expect((await read()).manifest.rev).toBe(2)
  })

  it('is not folded while a fold is in flight, and is after a minute without a sign of it', async () => {
    nextTenant()
    const clock = frozenClock()
    const keeper = keeperOn(single.store, { clock })
    await keeper.append(tenant, model, rows(1, 5))
    await single.store.write(tenant, {
      put: {
        pk: `T#${tenant.id}#X#${model}`,
        sk: 'FOLD#aaaaaaaa',
        rev: 0,
        chunks: '[0]',
        seen_at: isoTime(clock.now()),
      },
    })
    clock.advance(59_000)
    expect(await keeper.foldNow(tenant, model)).toBe('superseded')
    clock.advance(2_000)
    expect(await keeper.foldNow(tenant, model)).toBe('folded')
    await expectFolded(read, rows(1, 5))
  })

  it('is left to the fold that replaced a block which this one was about to read', async () => {
    nextTenant()
    const clock = frozenClock()
    const other = keeperOn(single.store, { clock })
    await other.append(tenant, model, rows(1, 5))
    expect(await other.foldNow(tenant, model)).toBe('folded')
    const at = isoTime(clock.now())
    const head = { tenant_id: tenant.id, created_by: 1, updated_by: 1, created_at: at, updated_at: at }
    // A change that came into no log: a fold reads the stamps of its chunk.
    await single.store.write(tenant, {
      put: recordItem({ name: model }, { ...head, id: 1, version: 2, data: {} }, author(), 'write'),
    })
    await other.append(tenant, model, rows(6, 1))
    let isFirst = true
    const getMany: Store['getMany'] = async (...call) => {
      if (isFirst) await other.foldNow(tenant, model)
      isFirst = false
      return single.store.getMany(...call)
    }
    expect(await keeperOn({ ...single.store, getMany }, { clock }).foldNow(tenant, model)).toBe('superseded')
    expect((await read()).manifest).toMatchObject({ rev: 2, n: 6, live: 6 })
  })
})
