import { afterAll, beforeAll, expect, it } from 'vitest'
import { maskEvents } from '../../../../../shared/platform/trail/mask-events.ts'
import { trailEvent } from '../../../../../shared/platform/trail/trail-event.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const tenant = { id: 7 }
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())

it('masks the fields and the name in all events about one object, and nothing else', async () => {
  const clock = frozenClock()
  const changes = { email: { old: null, new: 'ada@acme.test' }, roles: { old: [], new: ['user'] } }
  for (const [model, id] of [
    ['sys_users', 3],
    ['sys_users', 3],
    ['sys_users', 13],
    ['sys_roles', 3],
  ] as const)
    await single.store.write(
      tenant,
      trailEvent(clock, tenant, { userId: 1 }, { action: 'update', model, id, name: 'Ada', changes }),
    )
  const events = async () =>
    (await single.itemsOf('T#7#EV#'))
      .map(({ model, record_id, name, changes: text }) => [model, record_id, name, JSON.parse(String(text))])
      .sort((a, b) => String(a).localeCompare(String(b)))
  const before = await events()
  await maskEvents(single.store, tenant, { model: 'sys_users', id: 3 }, new Set(['email']))
  const masked = ['sys_users', 3, undefined, { ...changes, email: { old: null, new: '********' } }]
  const others = before.filter(([model, id]) => model !== 'sys_users' || id !== 3)
  const after = await events()
  expect(after).toHaveLength(4)
  expect(after).toEqual(expect.arrayContaining([...others, masked]))
  expect(after.filter(([model, id]) => model === 'sys_users' && id === 3)).toEqual([masked, masked])
  await maskEvents(single.store, tenant, { model: 'sys_users', id: 3 }, new Set(['email']))
  expect(await events()).toEqual(after)
})
