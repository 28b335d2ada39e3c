import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AdvanceDependencies } from '../../../../../../shared/automation/processes/dependencies.ts'
import { sendSignal } from '../../../../../../shared/automation/processes/events/send-signal.ts'
import { doTenantWork } from '../../../../../../shared/automation/processes/events/tenant-work.ts'
import { readStartTimer } from '../../../../../../shared/automation/processes/rows/start-rows.ts'
import { followStartTimers } from '../../../../../../shared/automation/processes/templates/start-timers.ts'
import { type Template, templateRow } from '../../../../../../shared/automation/processes/templates/template.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { Crash, crashesUpTo, crashing } from '../../../../../make/services/stores/crashing-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { openPlan, type Plan } from '../../../../../make/services/worlds/plan-world.ts'

let single: SingleTable
let plan: Plan
let zone = 'UTC'
let templates: readonly Template[] = []
const wakes: number[] = []
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  zone = 'UTC'
  templates = []
  wakes.length = 0
  for (const item of await single.itemsOf('T#1#PX#0')) await single.store.write(plan.tenant, { remove: item })
  plan = await openPlan(single, 1)
})

let count = 0
/** A template that starts with these triggers. */
const template = (triggers: readonly object[], more: object = {}): Template =>
  ({
    id: (count += 1),
    code: `timed_${count}`,
    name: 'Timed',
    table: 'plans',
    isAutoStart: false,
    isActive: true,
    startCondition: null,
    starts: [{ elementId: 's', triggers }],
    isTriggered: true,
    version: 1,
    ...more,
  }) as unknown as Template
const every = (value: string, kind = 'timeCycle') => template([{ on: 'timer', kind, value }])

const servicesOf = (store: Store = single.store) =>
  ({
    store,
    clock: plan.clock,
    timeZone: async () => zone,
    wakeLater: async (_tenant: object, _id: number, seconds: number) => void wakes.push(seconds),
    config: {
      list: async (_tenant: object, _kind: string, read: (row: object) => unknown) =>
        templates.map((one) => read(templateRow(one))),
    },
  }) as unknown as AdvanceDependencies
const work = (store?: Store) => doTenantWork(servicesOf(store), plan.tenant, Infinity)

/** Stores a change of a template as its save does. */
async function save(before: Template | undefined, after: Template | undefined) {
  const { writes, warnings } = await followStartTimers(servicesOf(), plan.tenant, before, after, 3)
  if (writes.length > 0) await single.store.transact(plan.tenant, writes, plan.clock.uuid())
  return warnings
}
const timers = async () =>
  (await single.itemsOf('T#1#PX#0')).filter(({ kind }) => kind === 'process_start_timer').map(readStartTimer)
const due = async () => (await timers()).map(({ timing }) => timing.due)
/** The instances of a template, with what their start command says. */
async function started({ code }: Template) {
  const instances = (await single.itemsOf('T#1#PI')).filter((item) => item.code === code)
  return Promise.all(
    instances.map(async ({ sk, source, record_id, template_version }) => {
      const rows = await single.itemsOf(`T#1#PX#${Number(sk)}`)
      const commands = rows
        .filter(({ kind }) => kind === 'process_command')
        .map((row) => JSON.parse(String(row.command)))
      return { source, record_id, version: template_version, commands }
    }),
  )
}
const minutes = (n: number): void => void plan.clock.advance(n * 60_000)

describe('a process that starts by a timer', () => {
  it('starts when it is due, about no record, and waits for the next time', async () => {
    const timed = every('R/PT10M')
    await save(undefined, timed)
    expect(await due()).toEqual(['2026-11-20T08:10:00.000Z'])
    await work()
    expect(wakes).toEqual([600])
    expect(await started(timed)).toEqual([])
    minutes(10)
    await work()
    const variables = { timer: { due_at: '2026-11-20T08:10:00.000Z', missed: 0 } }
    expect(await started(timed)).toEqual([
      { source: 'timer', record_id: 0, version: 1, commands: [{ kind: 'start', hops: 0, variables, at: 's' }] },
    ])
    expect(await due()).toEqual(['2026-11-20T08:20:00.000Z'])
    expect(wakes).toEqual([600, 600])
    await work()
    expect(await started(timed)).toHaveLength(1)
  })

  it.each([
    ['a duration', 'timeDuration', 'PT10M'],
    ['a date', 'timeDate', '2026-11-20T08:10:00Z'],
    ['a bounded repetition', 'timeCycle', 'R1/PT10M'],
  ])('by %s starts as often as that says', async (_, kind, value) => {
    const timed = every(value, kind)
    await save(undefined, timed)
    minutes(10)
    await work()
    minutes(100)
    await work()
    expect(await started(timed)).toHaveLength(1)
    expect(await timers()).toEqual([])
  })

  it('makes up for missed starts by one, which knows how many', async () => {
    const timed = every('R5/PT10M')
    await save(undefined, timed)
    minutes(35)
    await work()
    const [made] = await started(timed)
    expect(made?.commands[0].variables).toEqual({ timer: { due_at: '2026-11-20T08:10:00.000Z', missed: 2 } })
    // Those that were missed count towards the bound.
    expect((await timers()).map(({ timing }) => [timing.due, timing.left])).toEqual([['2026-11-20T08:40:00.000Z', 1]])
  })

  it.each(crashesUpTo(6))(
    'loses and doubles no start when its worker crashes $when write $at',
    async ({ at, when }) => {
      const timed = every('R/PT10M')
      await save(undefined, timed)
      await work()
      minutes(10)
      await work(crashing(single.store, at, when).store).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      await work()
      expect(await started(timed)).toHaveLength(1)
      expect(await due()).toEqual(['2026-11-20T08:20:00.000Z'])
    },
  )

  it('starts once although two workers find it due', async () => {
    const timed = every('R/PT10M')
    await save(undefined, timed)
    minutes(10)
    await Promise.all([work(), work(), work()])
    expect(await started(timed)).toHaveLength(1)
  })

  it('goes by the clocks of the tenant, which may change', async () => {
    zone = 'Europe/Vienna'
    await save(undefined, every('0 9 * * *'))
    expect(await due()).toEqual(['2026-11-21T08:00:00.000Z'])
    zone = 'America/New_York'
    minutes(24 * 60)
    await work()
    expect(await due()).toEqual(['2026-11-21T14:00:00.000Z'])
  })

  it('keeps its next start when something else of the template changes, and begins anew with another time', async () => {
    const timed = every('R/PT10M')
    await save(undefined, timed)
    minutes(5)
    const renamed = { ...timed, name: 'Other', version: 2 }
    await save(timed, renamed)
    expect((await timers()).map(({ version, timing }) => [version, timing.due])).toEqual([
      [2, '2026-11-20T08:10:00.000Z'],
    ])
    const slower = { ...every('R/PT20M'), id: timed.id, code: timed.code, version: 3 }
    await save(renamed, slower)
    expect((await timers()).map(({ version, timing }) => [version, timing.due])).toEqual([
      [3, '2026-11-20T08:25:00.000Z'],
    ])
    await save(slower, { ...slower, isActive: false, version: 4 })
    minutes(60)
    await work()
    expect([await timers(), await started(timed)]).toEqual([[], []])
  })

  it('does not start again what has ended when something else changes', async () => {
    const timed = every('PT10M', 'timeDuration')
    await save(undefined, timed)
    minutes(10)
    await work()
    await save(timed, { ...timed, name: 'Other', version: 2 })
    expect(await timers()).toEqual([])
    await save({ ...timed, version: 2 }, undefined)
    expect(await started(timed)).toHaveLength(1)
  })

  it('warns of a time that has passed', async () => {
    const warnings = await save(undefined, every('2020-01-01T00:00:00Z', 'timeDate'))
    expect(warnings).toMatchObject([{ elementId: 's', message: expect.stringContaining('has passed') }])
    expect(await timers()).toEqual([])
    expect(await save(undefined, every('R/2020-01-01T00:30:00Z/P1D'))).toEqual([])
    expect(await due()).toEqual(['2026-11-21T00:30:00.000Z'])
  })

  it('is changed or fires, not both', async () => {
    const timed = every('R/PT10M')
    await save(undefined, timed)
    minutes(10)
    const stale = await followStartTimers(servicesOf(), plan.tenant, timed, { ...timed, version: 2 }, 3)
    await work()
    await expect(single.store.transact(plan.tenant, stale.writes, plan.clock.uuid())).rejects.toThrow(
      TransactionRefused,
    )
    expect(await due()).toEqual(['2026-11-20T08:20:00.000Z'])
  })
})

describe('a process that starts by a signal', () => {
  const signalled = () => template([{ on: 'signal', name: 'go' }])
  const send = () => sendSignal(servicesOf(), plan.tenant, { name: 'go', variables: { year: 2026 } }, { userId: 3 })

  it.each(crashesUpTo(8))('starts each once when the worker crashes $when write $at', async ({ at, when }) => {
    templates = [signalled(), signalled(), signalled(), every('R/PT10M')]
    expect(await send()).toEqual({ matched: 3 })
    await work(crashing(single.store, at, when).store).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
    await work()
    for (const one of templates.slice(0, 3))
      expect(await started(one)).toEqual([
        {
          source: 'signal',
          record_id: 0,
          version: 1,
          commands: [{ kind: 'start', hops: 0, variables: { year: 2026 }, at: 's' }],
        },
      ])
    expect((await single.itemsOf('T#1#PX#0')).length).toBe(0)
  })

  it('starts each once although several workers send it', async () => {
    templates = [signalled(), signalled(), signalled()]
    await send()
    await Promise.all([work(), work(), work()])
    for (const one of templates) expect(await started(one)).toHaveLength(1)
  })

  it('starts nothing that was switched off meanwhile', async () => {
    templates = [signalled(), signalled()]
    await send()
    const [off, on] = templates as [Template, Template]
    templates = [{ ...off, isActive: false }, on]
    await work()
    expect([await started(off), (await started(on)).length]).toEqual([[], 1])
  })
})
