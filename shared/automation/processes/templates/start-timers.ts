import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { instanceRowsPartition, startTimerPrefix, tenantWorkId } from '../../../platform/store/keys/processes.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import type { Trigger } from '../../bpmn/shapes/graph.ts'
import { skipUntil, timingOf } from '../../bpmn/shapes/timing.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { commandItem } from '../rows/command-rows.ts'
import { isStillDue, readStartTimer, type StartTimer, startTimerItem } from '../rows/start-rows.ts'
import type { ProcessWarning } from './known-names.ts'
import type { Template } from './template.ts'

type Schedule = Extract<Trigger, { on: 'timer' }>
interface StartSchedule {
  readonly elementId: string
  readonly index: number
  readonly schedule: Schedule
}

/** A date that passed while its template was written still counts. */
const graceMs = 60_000

/** The timers by which a template starts. */
export const schedulesOf = ({ starts = [] }: Pick<Template, 'starts'>): readonly StartSchedule[] =>
  starts.flatMap(({ elementId, triggers }) =>
    triggers.flatMap((trigger, index) => (trigger.on === 'timer' ? [{ elementId, index, schedule: trigger }] : [])),
  )

const activeSchedules = (template: Template | undefined): readonly StartSchedule[] =>
  template?.isActive === true ? schedulesOf(template) : []

const isSame = (one: StartSchedule, other: StartSchedule): boolean =>
  one.elementId === other.elementId &&
  one.index === other.index &&
  one.schedule.kind === other.schedule.kind &&
  one.schedule.value === other.schedule.value

/**
 * The writes, for the transaction that changes a template, by which its starts follow the change: a timer that it keeps
 * stays as it is, others begin anew or end. `warnings`: of those whose time has passed.
 */
export async function followStartTimers(
  { store, clock, timeZone }: Pick<AdvanceDependencies, 'store' | 'clock' | 'timeZone'>,
  tenant: Tenant,
  before: Template | undefined,
  after: Template | undefined,
  userId: number,
): Promise<{ readonly writes: readonly Write[]; readonly warnings: readonly ProcessWarning[] }> {
  const [earlier, wanted] = [activeSchedules(before), activeSchedules(after)]
  if (earlier.length + wanted.length === 0) return { writes: [], warnings: [] }
  const rows = before === undefined ? [] : await timersOf(store, tenant, before.id)
  const nowMs = clock.now()
  const zone = wanted.length === 0 ? 'UTC' : await timeZone(tenant)
  const puts: { readonly put: ReturnType<typeof startTimerItem>; readonly if?: ReturnType<typeof isStillDue> }[] = []
  const warnings: ProcessWarning[] = []
  const began: StartTimer[] = []
  for (const one of after === undefined ? [] : wanted) {
    const { id: templateId, version, code, table: model } = after as Template
    const { elementId, index, schedule } = one
    const timer = { templateId, version, code, model, elementId, index }
    if (earlier.some((other) => isSame(one, other))) {
      // Without a row it has fired for the last time.
      const row = rows.find((known) => known.elementId === elementId && known.index === index)
      if (row) puts.push({ put: startTimerItem(tenant, { ...timer, timing: row.timing }), if: isStillDue(row) })
      continue
    }
    const { next } = skipUntil(timingOf(schedule.kind, schedule.value, nowMs, zone), nowMs - graceMs)
    if (next === undefined)
      warnings.push({
        elementId,
        code: 'ignored',
        message: `The time ${schedule.value} has passed, so this timer starts nothing.`,
      })
    else {
      began.push({ ...timer, timing: next })
      puts.push({ put: startTimerItem(tenant, { ...timer, timing: next }) })
    }
  }
  const kept = new Set(puts.map(({ put }) => put.sk))
  const ended = rows.filter(({ key }) => !kept.has(key.sk)).map(({ key }: { readonly key: Key }) => ({ remove: key }))
  const dueTimes = began.map(({ timing }) => timing.due).filter((due) => due <= isoTime(nowMs + wakeWithinMs))
  const wake =
    dueTimes.length === 0
      ? []
      : [
          {
            put: commandItem(
              tenant,
              tenantWorkId,
              { kind: 'wake', dueTimes },
              { userId },
              {
                nowMs,
                uuid: clock.uuid(),
                wakesRunner: true,
              },
            ),
          },
        ]
  return { writes: [...ended, ...puts, ...wake], warnings }
}

/** When a template starts next by a timer, for its answer. */
export async function describeNextStart(
  { store }: Pick<AdvanceDependencies, 'store'>,
  tenant: TenantRef,
  template: Template,
): Promise<{ readonly next_start_at?: string }> {
  if (activeSchedules(template).length === 0) return {}
  const dueTimes = (await timersOf(store, tenant, template.id)).map(({ timing }) => timing.due)
  const [next] = dueTimes.toSorted()
  return next === undefined ? {} : { next_start_at: next }
}

const timersOf = async (store: Pick<Store, 'query'>, tenant: TenantRef, templateId: number) =>
  (
    await readAll(store, tenant, {
      pk: instanceRowsPartition(tenant, tenantWorkId),
      prefix: startTimerPrefix(templateId),
    })
  ).map(readStartTimer)

/** Timers that are due sooner get a wake-up of their own; the sweeper finds the others. */
export const wakeWithinMs = 15 * 60_000
