import { isoTime } from '../../../kernel/clock.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { exists } from '../../../store/conditions.ts'
import { idText } from '../../../store/keys/key.ts'
import {
  candidateKey,
  incidentKey,
  incidentsByStatusPartition,
  processTimerKey,
  taskKey,
  waitOfRecordKey,
} from '../../../store/keys/processes.ts'
import { incidentSlot, setSlot } from '../../../store/slots.ts'
import type { Write } from '../../../store/table.ts'
import type { CompiledProcess } from '../../definition/compiled-process.ts'
import { activitiesItem } from '../../rows/activities-row.ts'
import { timerItem, type CommandRows, type StepRow } from '../../rows/command-rows.ts'
import { incidentItem, type Incident } from '../../rows/incident-row.ts'
import type { Instance, OpenWait } from '../../rows/instance-row.ts'
import { candidateItems, candidatesOf, isPending, taskItem, type Task } from '../../rows/task-row.ts'
import { waitItem } from '../../rows/wait-row.ts'
import type { StepResult } from './take-step.ts'

/** The rows that a step adds beside its instance: tasks with what finds them, timers, incidents. */
export function addedRows(
  tenant: TenantRef,
  instance: Instance,
  compiled: CompiledProcess,
  step: Pick<StepResult, 'newTasks' | 'newTimers' | 'newIncidents' | 'recordVersion'>,
  at: string,
): StepRow[] {
  const { newTasks, newTimers, newIncidents } = step
  const waitOf = (task: Task) =>
    waitItem(tenant, task.model, task.recordId, {
      taskId: task.id,
      instanceId: instance.id,
      executionId: task.executionId,
      elementId: task.elementId,
      rules: compiled.tasks[task.elementId]?.completeOn ?? [],
      seenVersion: step.recordVersion,
    })
  return [
    ...newTasks.flatMap(({ task, watchesRecord }): StepRow[] => [
      { put: taskItem(tenant, task) },
      ...[...candidateItems(tenant, task), ...(watchesRecord ? [waitOf(task)] : [])].map((put) => ({
        row: { put },
        whilePending: taskKey(tenant, task.id),
      })),
    ]),
    ...newTimers.map((timer): Write => ({ put: timerItem(tenant, instance.id, timer) })),
    ...newIncidents.map((incident): Write => ({ put: incidentItem(tenant, openIncident(instance, incident, at)) })),
  ]
}

export const openIncident = (
  instance: Pick<Instance, 'id' | 'code' | 'model' | 'recordId'>,
  { id, elementId, message }: { readonly id: number; readonly elementId: string | null; readonly message: string },
  at: string,
): Incident => ({
  id,
  instanceId: instance.id,
  code: instance.code,
  model: instance.model,
  recordId: instance.recordId,
  elementId,
  message: message.slice(0, 4000),
  status: 'open',
  createdAt: at,
  resolvedAt: null,
})

/** What happened in a step, as one row. */
export const activityEvents = (
  tenant: TenantRef,
  instance: Pick<Instance, 'id' | 'steps'>,
  compiled: CompiledProcess,
  { advance }: StepResult,
): Write[] =>
  advance.events.length === 0
    ? []
    : [
        {
          put: activitiesItem(
            tenant,
            instance.id,
            instance.steps + 1,
            advance.events.map(({ elementId, type, executionId, what, at }) => ({
              element_id: elementId,
              name: compiled.elements[elementId]?.name ?? null,
              type,
              execution_id: executionId,
              what,
              at,
            })),
          ),
        },
      ]

/** What takes the rows of waits away that are over: a task that nobody completed is cancelled. */
export function closedRows(
  tenant: TenantRef,
  instance: Pick<Instance, 'id' | 'model' | 'recordId'>,
  gone: readonly OpenWait[],
  tasks: ReadonlyMap<number, Task>,
  atMs: number,
): Write[] {
  const at = isoTime(atMs)
  return gone.flatMap((wait): Write[] => {
    if (wait.kind === 'timer') return [{ remove: processTimerKey(tenant, instance.id, wait.executionId) }]
    if (wait.kind === 'failed') return [resolveIncident(tenant, wait.incidentId, at)]
    const task = tasks.get(wait.taskId)
    if (task?.status === 'pending') return endTask(tenant, { ...task, status: 'cancelled', completedAt: at })
    // Taken away before the step's work began.
    return task?.status === 'cancelled' ? offersOf(tenant, task) : []
  })
}

/** An instance that ended has nothing to be retried. Timers that wait for a retry go with what they are on. */
export const forgetSuspended = ({ commands }: CommandRows): Write[] =>
  commands.filter(({ isParked }) => isParked).map(({ key }) => ({ remove: key }))

/** Ends a pending task and takes it out of every list it stands in as one. Of two that end a task one is refused. */
export const endTask = (tenant: TenantRef, task: Task): Write[] => [endedTask(tenant, task), ...offersOf(tenant, task)]

export const endedTask = (tenant: TenantRef, task: Task): Write => ({ put: taskItem(tenant, task), if: isPending })

/** Takes a task out of what finds it for those it was offered to, and for its record. */
const offersOf = (tenant: TenantRef, task: Task): Write[] => [
  ...candidatesOf(task).map((candidate) => ({ remove: candidateKey(tenant, candidate, task.id) })),
  { remove: waitOfRecordKey(tenant, task.model, task.recordId, task.id) },
]

export const resolveIncident = (tenant: TenantRef, id: number, at: string): Write => {
  const enter = setSlot(incidentSlot, incidentsByStatusPartition(tenant, 'resolved'), idText(id))
  return {
    update: incidentKey(tenant, id),
    change: {
      expression: `SET #status = :resolved, resolved_at = :at, ${enter.expression}`,
      names: { '#status': 'status' },
      values: { ':resolved': 'resolved', ':at': at, ...enter.values },
    },
    if: exists,
  }
}
