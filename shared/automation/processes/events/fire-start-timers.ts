import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { looksLikeCron } from '../../../kernel/time/cron.ts'
import { instanceRowsPartition, startTimerPrefix, tenantWorkId } from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { nextTiming, skipUntil, type Timing } from '../../bpmn/shapes/timing.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { instanceSequence, noRecord } from '../rows/instance-row.ts'
import { isStillDue, readStartTimer, type StartTimer, startTimerItem } from '../rows/start-rows.ts'
import { startWrites } from '../steps/start-instance.ts'
import { wakeWithinMs } from '../templates/start-timers.ts'

/**
 * Starts what is due by a timer, each once, until `endsAt`. False: some is left. Starts that were missed are made up for
 * by one, which knows how many there were.
 */
export async function fireStartTimers(services: AdvanceDependencies, tenant: Tenant, endsAt: number): Promise<boolean> {
  const { store, clock } = services
  const range = { pk: instanceRowsPartition(tenant, tenantWorkId), prefix: startTimerPrefix() }
  for await (const { items } of readPages(store, tenant, range))
    for (const timer of items.map(readStartTimer)) {
      if (timer.timing.due > isoTime(clock.now())) continue
      if (clock.now() > endsAt) return false
      await fire(services, tenant, timer)
    }
  return true
}

/** The start and the next time are one transaction, so that no start is lost or made twice. */
async function fire(
  services: AdvanceDependencies,
  tenant: Tenant,
  timer: ReturnType<typeof readStartTimer>,
): Promise<void> {
  const { store, clock } = services
  const { key, templateId, version, code, model, elementId, timing } = timer
  const { next, skipped } = skipUntil(await following(services, tenant, timer), clock.now())
  const id = await reserveIds(store, tenant, instanceSequence, 1)
  const isFired = await wasApplied(
    store.transact(
      tenant,
      [
        next === undefined
          ? { remove: key, if: isStillDue(timer) }
          : { put: startTimerItem(tenant, { ...timer, timing: next }), if: isStillDue(timer) },
        ...startWrites(services, tenant, { id: templateId, version, code }, id, {
          model,
          recordId: noRecord,
          by: { userId: 0 },
          source: 'timer',
          hops: 0,
          variables: { timer: { due_at: timing.due, missed: skipped } },
          at: elementId,
          wakesRunner: true,
        }),
      ],
      clock.uuid(),
    ),
  )
  if (isFired && next !== undefined) await wakeFor(services, tenant, [next.due])
}

/** The firing after this one; of a cron schedule by the time zone that the tenant has now. */
async function following(
  { timeZone }: Pick<AdvanceDependencies, 'timeZone'>,
  tenant: Tenant,
  { timing }: StartTimer,
): Promise<Timing | undefined> {
  const isCron = timing.every !== undefined && looksLikeCron(timing.every)
  return nextTiming(isCron ? { ...timing, zone: await timeZone(tenant) } : timing)
}

/** Sends wake-ups for starts that are due soon. The sweeper makes up for a lost one. */
export async function wakeFor(
  { clock, wakeLater }: Pick<AdvanceDependencies, 'clock' | 'wakeLater'>,
  tenant: Tenant,
  dueTimes: readonly string[],
): Promise<void> {
  for (const due of dueTimes) {
    const delayMs = Math.max(0, Date.parse(due) - clock.now())
    if (delayMs <= wakeWithinMs)
      await mayFail('wake a process for its start', () => wakeLater(tenant, tenantWorkId, Math.ceil(delayMs / 1000)))
  }
}
