import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../../../../shared/kernel/principal.ts'
import { firstIdOf, type Notice } from '../../../../../shared/messages/bell/bell-row.ts'
import { readBellState, totalOf } from '../../../../../shared/messages/bell/bell-state.ts'
import { markAllRead } from '../../../../../shared/messages/bell/mark-read.ts'
import { ringBell } from '../../../../../shared/messages/bell/ring-bell.ts'
import { bellPartition, bellStateKey } from '../../../../../shared/platform/store/keys/messages/bell.ts'
import type { Store } from '../../../../../shared/platform/store/store.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const tenant = { id: 7 }
const clock = frozenClock()
const today = Math.floor(clock.now() / 86_400_000)
let table: SingleTable
let userId = 0

const noticeTo = (key: string, to = userId): Notice => ({
  key,
  userId: to,
  title: key,
  text: 'text',
  url: null,
  category: 'system',
  createdAtMs: clock.now(),
  model: '',
  recordId: null,
})
const ring = (store: Store, ...notices: Notice[]) => ringBell({ store, clock }, tenant, notices)
const stateOf = async (user = userId) => readBellState(await table.store.get(tenant, bellStateKey(tenant, user)), today)
const rowsOf = async (user = userId) => (await table.store.query(tenant, { pk: bellPartition(tenant, user) })).items
const countsOf = async (user = userId) => {
  const state = await stateOf(user)
  return { rows: (await rowsOf(user)).length, kept: totalOf(state, 'kept'), unread: totalOf(state, 'unread') }
}

beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

describe('ringing a bell', () => {
  it('is done once and counted right, whatever call a first attempt crashed at, before or after it', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let crashAt = 1, crashed = true; crashed; crashAt += 1) {
        const users = [++userId, ++userId]
        const notices = users.flatMap((user) => ['a', 'b'].map((key) => noticeTo(key, user)))
        let calls = 0
        crashed = false
        const dying = table.storeThrough(async (_, call) => {
          if (crashed) throw new Error('dead')
          crashed = ++calls === crashAt
          if (crashed && when === 'before') throw new Error('dead')
          const answer = await call()
          if (crashed) throw new Error('dead')
          return answer
        })
        const [attempt] = await Promise.allSettled([ring(dying, ...notices)])
        expect(attempt.status).toBe(crashed ? 'rejected' : 'fulfilled')
        await ring(table.store, ...notices)
        await ring(table.store, ...notices)
        for (const user of users)
          expect([when, crashAt, await countsOf(user)]).toEqual([when, crashAt, { rows: 2, kept: 2, unread: 2 }])
      }
    }
  })

  it('gives every notice a row of its own, although their first ids are the same', async () => {
    userId += 1
    const first = firstIdOf(noticeTo('0'))
    const clashing = Array.from({ length: 20_000 }, (_, n) => noticeTo(String(n)))
      .filter((notice) => firstIdOf(notice) === first)
      .slice(0, 8)
    expect(clashing.length).toBe(8)
    await Promise.all([ring(table.store, ...clashing), ring(table.store, ...clashing.toReversed())])
    const rows = await rowsOf()
    expect(rows.map(({ id }) => Number(id) - first)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(new Set(rows.map(({ title }) => title))).toEqual(new Set(clashing.map(({ title }) => title)))
    expect(await countsOf()).toEqual({ rows: 8, kept: 8, unread: 8 })
  })

  it('is marked as read with one write, however many notifications there are', async () => {
    userId += 1
    await ring(table.store, ...Array.from({ length: 300 }, (_, n) => noticeTo(`n${n}`)))
    const calls: string[] = []
    const counted = table.storeThrough((operation, call) => {
      calls.push(operation)
      return call()
    })
    const known = await table.store.get(tenant, bellStateKey(tenant, userId))
    const caller = { tenant, userId } as unknown as Caller
    expect(await markAllRead({ store: counted, clock }, caller, known)).toEqual({ marked: 300 })
    expect(calls).toEqual(['UpdateItem'])
    expect(await countsOf()).toEqual({ rows: 300, kept: 300, unread: 0 })
  })
})
