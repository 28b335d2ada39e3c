import type { PrincipalRef } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Write } from '../../../platform/store/store.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { fourEyesProblem } from '../people/four-eyes.ts'
import { peopleOfCompletion } from '../people/people-of-completion.ts'
import { commandItem } from '../rows/command-rows.ts'
import { taskPeopleItem } from '../rows/task-people-row.ts'
import { readTask, type Task, type TaskEvent, withEvent } from '../rows/task-row.ts'
import type { RecordWait } from '../rows/wait-row.ts'
import { endTask } from './step-writes.ts'

/** How a task was completed. */
export interface Completion {
  readonly outcome: string | null
  /** New variables of the process. */
  readonly variables: Readonly<Record<string, unknown>>
  /** What was entered into its form. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly hops: number
  readonly old?: Readonly<Record<string, unknown>>
  /** Whose task it is, when their substitute completes it. */
  readonly actsFor?: number | null
}

/**
 * The writes that complete a pending task: its row and the `complete` command of its instance. Write them in one
 * transaction; it is refused when the task has ended already.
 */
export function completionWrites(
  { clock }: Pick<ProcessDependencies, 'clock'>,
  tenant: Tenant,
  task: Task,
  by: PrincipalRef,
  { outcome, variables, data, hops, old, actsFor }: Completion,
): { readonly done: Task; readonly writes: readonly Write[] } {
  const now = clock.now()
  const done: Task = withEvent(
    {
      ...task,
      status: 'completed',
      outcome,
      completedAt: isoTime(now),
      completedBy: by.userId || null,
      version: task.version + 1,
    },
    taskEvent('completed', by, now, typeof actsFor === 'number' ? { for: actsFor } : {}),
  )
  const command = {
    kind: 'complete',
    executionId: task.executionId,
    task: { id: task.id, element_id: task.elementId, name: task.name, outcome, completed_by: done.completedBy },
    variables: { ...variables, outcome },
    data: data ?? variables,
    hops,
    ...(old && { old }),
  } as const
  const ending = endTask(tenant, done)
  // Lists check the task itself, so candidate rows beyond what a transaction holds may be removed a moment later.
  const later = ending.filter((one) => 'remove' in one).slice(maxRemovals)
  const commands = [command, ...(later.length > 0 ? [{ kind: 'rows', rows: later } as const] : [])]
  return {
    done,
    writes: [
      ...ending.filter((one) => !later.some((other) => other === one)),
      ...(task.isNoted ? [{ put: taskPeopleItem(tenant, task, peopleOfCompletion(task, by, actsFor)) }] : []),
      ...commands.map((one) => ({
        put: commandItem(tenant, task.instanceId, one, by, { nowMs: now, uuid: clock.uuid() }),
      })),
    ],
  }
}

/** What somebody does with a task now. */
export const taskEvent = (
  what: TaskEvent['what'],
  { userId, impersonatorId }: PrincipalRef,
  nowMs: number,
  more: Pick<TaskEvent, 'to' | 'for' | 'dueAt'> = {},
): TaskEvent => ({
  what,
  by: userId,
  ...(impersonatorId !== undefined && { impersonator: impersonatorId }),
  ...more,
  at: isoTime(nowMs),
})

/** A transaction holds 100 writes, and a record that is written with the completion needs some of them. */
const maxRemovals = 50

/** Completes a task whose record meets its conditions; false when the task has ended already. */
export async function completeByRecord(
  processes: ProcessDependencies,
  tenant: Tenant,
  wait: Pick<RecordWait, 'taskId'>,
  by: PrincipalRef,
  completion: Completion,
): Promise<boolean> {
  const { store, clock } = processes
  const item = await store.get(tenant, taskKey(tenant, wait.taskId))
  const task = item && readTask(item)
  if (task?.status !== 'pending') return false
  const problem = await fourEyesProblem(store, tenant, task, peopleOfCompletion(task, by))
  if (problem !== undefined) {
    log.info('a change of a record does not complete a task', { tenant_id: tenant.id, task_id: task.id, problem })
    return false
  }
  return wasApplied(
    store.transact(tenant, completionWrites(processes, tenant, task, by, completion).writes, clock.uuid()),
  )
}
