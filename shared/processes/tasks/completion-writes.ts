import { isoTime } from '../../kernel/clock.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { taskKey } from '../../store/keys/processes.ts'
import { hasHeld } from '../../store/refusals.ts'
import type { Write } from '../../store/table.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { commandItem } from '../rows/command-rows.ts'
import { readTask, type Task } from '../rows/task-row.ts'
import type { RecordWait } from '../rows/wait-row.ts'
import { endTask } from '../runtime/step/step-writes.ts'

export interface Completion {
  readonly outcome: string | null
  /** For the variables of the process. */
  readonly variables: Readonly<Record<string, unknown>>
  readonly hops: number
  readonly old?: Readonly<Record<string, unknown>>
}

/**
 * The writes that complete a pending task: its row, and the command that brings the instance on. They hold or fail together;
 * of two that complete a task one is refused.
 */
export function completionWrites(
  { clock }: Pick<ProcessDependencies, 'clock'>,
  tenant: Tenant,
  task: Task,
  by: PrincipalRef,
  { outcome, variables, hops, old }: Completion,
): { readonly done: Task; readonly writes: readonly Write[] } {
  const now = clock.now()
  const done: Task = {
    ...task,
    status: 'completed',
    outcome,
    completedAt: isoTime(now),
    completedBy: by.userId || null,
  }
  const command = {
    kind: 'complete',
    executionId: task.executionId,
    task: { id: task.id, element_id: task.elementId, name: task.name, outcome, completed_by: done.completedBy },
    outcome,
    variables: { ...variables, outcome },
    hops,
    ...(old && { old }),
  } as const
  const ending = endTask(tenant, done)
  // A task that is offered to very many: lists look at the task itself, so the rows that offer it may go a moment later.
  const later = ending.filter((one) => 'remove' in one).slice(offersAtOnce)
  const commands = [command, ...(later.length > 0 ? [{ kind: 'rows', rows: later } as const] : [])]
  return {
    done,
    writes: [
      ...ending.filter((one) => !later.some((other) => other === one)),
      ...commands.map((one) => ({
        put: commandItem(tenant, task.instanceId, one, by, { nowMs: now, uuid: clock.uuid() }),
      })),
    ],
  }
}

/** A transaction holds a hundred writes, and a record that is written with it has some of its own. */
const offersAtOnce = 50

/** Completes a task because its record has what it waits for; false when somebody did before. */
export async function completeByRecord(
  deps: ProcessDependencies,
  tenant: Tenant,
  wait: Pick<RecordWait, 'taskId'>,
  by: PrincipalRef,
  completion: Completion,
): Promise<boolean> {
  const { store, clock } = deps
  const item = await store.get(tenant, taskKey(tenant, wait.taskId))
  const task = item && readTask(item)
  if (task?.status !== 'pending') return false
  return hasHeld(store.transact(tenant, completionWrites(deps, tenant, task, by, completion).writes, clock.uuid()))
}
