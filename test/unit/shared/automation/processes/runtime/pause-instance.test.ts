import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandItem, timerItem } from '../../../../../../shared/automation/processes/rows/command-rows.ts'
import { startTimerItem } from '../../../../../../shared/automation/processes/rows/start-rows.ts'
import { pauseInstance } from '../../../../../../shared/automation/processes/runtime/pause-instance.ts'
import { isoTime } from '../../../../../../shared/kernel/time/clock.ts'
import { keyOfItem } from '../../../../../../shared/platform/store/keys/key.ts'
import { processDueKey, tenantWorkId } from '../../../../../../shared/platform/store/keys/processes.ts'
import {
  dueEntry,
  dueSlot,
  removeSlot,
  slotAttributes,
  slotName,
  slotSort,
} from '../../../../../../shared/platform/store/slots.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
const hourMs = 3_600_000
const nextYear = '2027-11-23T08:00:00.000Z'
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const clock = frozenClock()
const command = (instance: number) =>
  commandItem(tenant, instance, { kind: 'cancel' }, { userId: 1 }, { nowMs: clock.now(), uuid: crypto.randomUUID() })
const timer = (instance: number, inMs: number) =>
  timerItem(tenant, instance, { elementId: 't', executionId: `t ${inMs}`, dueAt: isoTime(clock.now() + inMs) })
const dueOf = async (item: { pk: string; sk: string }) => {
  const found = await single.store.get(tenant, keyOfItem(item))
  return found && slotSort(found, dueSlot).slice(0, 24)
}

it('puts off for an hour what is due, and nothing else', async () => {
  const rows = [command(1), timer(1, -1), timer(1, 0), timer(1, 1)] as const
  const suspended = command(1)
  for (const put of [...rows, suspended]) await single.store.write(tenant, { put })
  await single.store.write(tenant, {
    update: keyOfItem(suspended),
    change: { expression: `SET parked = :yes REMOVE ${removeSlot(dueSlot)}`, values: { ':yes': true } },
  })
  await pauseInstance({ store: single.store, clock }, tenant, 1)
  const later = isoTime(clock.now() + hourMs)
  expect(await Promise.all(rows.map(dueOf))).toEqual([later, later, later, isoTime(clock.now() + 1)])
  const item = await single.store.get(tenant, keyOfItem(suspended))
  expect(item).not.toHaveProperty(slotAttributes(slotName(dueSlot)).sort)
})

it.each(['was carried out', 'another sweep has put off'])(
  'leaves a command that %s since it was read',
  async (what) => {
    const instance = what.length
    const item = command(instance)
    await single.store.write(tenant, { put: item })
    const disturbed = single.storeThrough(async (operation, call) => {
      if (operation === 'UpdateItem')
        await single.store.write(
          tenant,
          what === 'was carried out'
            ? { remove: keyOfItem(item) }
            : { put: { ...item, ...dueEntry(processDueKey(nextYear, tenant, instance)) } },
        )
      return call()
    })
    await pauseInstance({ store: disturbed, clock }, tenant, instance)
    const due = await dueOf(item)
    expect(due?.slice(0, 4)).toBe(what === 'was carried out' ? undefined : '2027')
  },
)

it('puts off the starts of a deleted tenant that are due', async () => {
  const start = (templateId: number, inMs: number) =>
    startTimerItem(tenant, {
      templateId,
      version: 1,
      code: 'daily',
      model: 'plans',
      elementId: 's',
      index: 0,
      timing: { due: isoTime(clock.now() + inMs) },
    })
  const rows = [start(1, -1), start(2, 1)]
  for (const put of rows) await single.store.write(tenant, { put })
  await pauseInstance({ store: single.store, clock }, tenant, tenantWorkId)
  expect(await Promise.all(rows.map(dueOf))).toEqual([isoTime(clock.now() + hourMs), isoTime(clock.now() + 1)])
})
