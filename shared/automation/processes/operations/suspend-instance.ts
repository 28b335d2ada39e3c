import { Conflict } from '../../../kernel/failures/faults.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { dueSlot, dueTaken, setSlot } from '../../../platform/store/slots.ts'
import type { Write } from '../../../platform/store/store.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import { commandDueKey, commandItem, type CommandRow, type ProcessCommand } from '../rows/command-rows.ts'
import { eventWaitKey, type EventWait } from '../rows/event-rows.ts'
import { type Instance, openStatusOf } from '../rows/instance-row.ts'
import type { InstanceWork } from '../steps/commit-step.ts'
import { eventRows } from '../steps/step-events.ts'
import { continuation, type InstanceChange } from './instance-change.ts'

/**
 * What a suspended instance carries out all the same: rows and messages of steps that were stored before, its end, and
 * what operators do.
 */
export const runsWhileSuspended = ({ kind }: ProcessCommand): boolean => runs.has(kind)

const runs: ReadonlySet<ProcessCommand['kind']> = new Set([
  'rows',
  'stored_rows',
  'send',
  'broadcast',
  'report_end',
  'cancel',
  'operate',
])

/**
 * Suspends an instance: its timers, commands and signals wait. Its message events are found by no sender, so that messages
 * are kept for as long as they live.
 */
export function suspendInstance({ tenant }: InstanceWork, before: Instance): InstanceChange {
  if (before.status === 'suspended')
    throw new Conflict('instance_suspended', `The process instance ${before.id} is suspended already.`)
  return {
    after: { ...before, status: 'suspended' },
    rows: messageWaits(before).map((wait) => ({ remove: eventWaitKey(tenant, before, wait) })),
    details: {},
  }
}

/** Resumes an instance: what came meanwhile is carried out in its order, what became due fires, and its message events take what was kept. */
export async function resumeInstance(
  { services, tenant, open }: InstanceWork,
  { by }: CommandRow,
  before: Instance,
): Promise<InstanceChange> {
  const { clock, openProcess } = services
  if (before.status !== 'suspended')
    throw new Conflict(
      'instance_not_suspended',
      `The process instance ${before.id} is not suspended: it is ${before.status === 'incident' ? 'an incident' : before.status}.`,
    )
  const now = clock.now()
  const after: Instance = { ...before, status: openStatusOf(before) }
  const given = new Set(open.commands.flatMap(({ command }) => (command.kind === 'event' ? [command.executionId] : [])))
  const waits = messageWaits(before).filter(({ executionId }) => !given.has(executionId))
  const compiled = await openProcess(tenant, before.templateId, before.templateVersion)
  const due = commandDueKey(tenant, before.id, now)
  const slot = setSlot(dueSlot, due.pk, due.sk)
  const waiting = [...open.commands, ...open.timers.filter(({ dueAt }) => dueAt <= isoTime(now))]
  return {
    after,
    rows: [
      ...(waits.length === 0
        ? []
        : [
            {
              put: commandItem(
                tenant,
                before.id,
                { kind: 'take', executionIds: waits.map(({ executionId }) => executionId) },
                by,
                { nowMs: now, uuid: clock.uuid() },
              ),
            },
          ]),
      ...continuation(clock, tenant, after, open, by),
      ...eventRows(tenant, before, compiled, waits, 0, now),
      // The sweeper looked for them less and less often.
      ...waiting
        .filter((one) => !one.isSuspended && !('command' in one && one.command.kind === 'operate'))
        .map((one): Write => ({
          update: one.key,
          change: { expression: `SET ${slot.expression} REMOVE ${dueTaken}`, values: slot.values },
          if: exists,
        })),
    ],
    details: {},
  }
}

const messageWaits = ({ waits }: Instance): EventWait[] =>
  waits.filter((wait): wait is EventWait => wait.kind === 'event' && wait.on === 'message')
