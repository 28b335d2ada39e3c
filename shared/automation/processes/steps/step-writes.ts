import { own } from '../../../kernel/collections/own-members.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { idText } from '../../../platform/store/keys/key.ts'
import {
  candidateKey,
  incidentKey,
  incidentPartitionOf,
  processTimerKey,
  taskKey,
  waitOfRecordKey,
} from '../../../platform/store/keys/processes.ts'
import { incidentSlot, setSlot } from '../../../platform/store/slots.ts'
import type { Write } from '../../../platform/store/store.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import type { ActivityEvent } from '../../bpmn/schema.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import { activitiesItem, type SteppedInstance, type StoredActivity, type StoredStep } from '../rows/activities-row.ts'
import { timerItem, type CommandRows, type StepRow } from '../rows/command-rows.ts'
import { eventWaitKey } from '../rows/event-rows.ts'
import { incidentItem, type Incident } from '../rows/incident-row.ts'
import type { Instance, OpenWait } from '../rows/instance-row.ts'
import { candidateItems, candidatesOf, isPending, taskItem, type Task } from '../rows/task-row.ts'
import { waitItem } from '../rows/wait-row.ts'
import type { StepResult } from './run-step.ts'

/** The rows that a step opens: tasks with their candidate and wait rows, timers, incidents. */
export function openedRows(
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
      rules: own(compiled.tasks, task.elementId)?.completeOn ?? [],
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
    ...newIncidents.map((incident): Write => ({ put: incidentItem(tenant, newIncident(instance, incident, at)) })),
  ]
}

/** An open incident of an instance. `elementId` is null when the whole step failed. */
export const newIncident = (
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

/** The activity events of a step, as one row; none when nothing happened. `before`: the instance before the step. */
export const activityWrites = (
  tenant: TenantRef,
  before: SteppedInstance & Pick<Instance, 'waits'>,
  compiled: CompiledProcess,
  events: readonly ActivityEvent[],
  { at, status, withdrawn, decisions = [] }: Pick<StoredStep, 'at' | 'status' | 'withdrawn' | 'decisions'>,
): Write[] => {
  if (events.length + decisions.length === 0) return []
  const tasks = new Map(
    before.waits.flatMap((wait) => (wait.kind === 'task' ? [[wait.executionId, wait.taskId] as const] : [])),
  )
  const activities = events.map(({ elementId, type, executionId, what, at: happenedAt }): StoredActivity => {
    const taskId = tasks.get(executionId)
    return {
      element_id: elementId,
      name: own(compiled.elements, elementId)?.name ?? null,
      type,
      execution_id: executionId,
      what,
      at: happenedAt,
      ...(taskId !== undefined && { task_id: taskId }),
    }
  })
  return [
    { put: activitiesItem(tenant, before, { at, status, activities, decisions, ...(withdrawn && { withdrawn }) }) },
  ]
}

/** The writes that end closed waits: timers are removed, incidents resolved, pending tasks cancelled. */
export function closedRows(
  tenant: TenantRef,
  instance: Pick<Instance, 'id' | 'model' | 'recordId'>,
  closed: readonly OpenWait[],
  tasks: ReadonlyMap<number, Task>,
  atMs: number,
): Write[] {
  const at = isoTime(atMs)
  return closed.flatMap((wait): Write[] => {
    if (wait.kind === 'timer') return [{ remove: processTimerKey(tenant, instance.id, wait.executionId) }]
    if (wait.kind === 'event') return [{ remove: eventWaitKey(tenant, instance, wait) }]
    if (wait.kind === 'failed') return [resolveIncident(tenant, wait.incidentId, at)]
    // `cancelledCalls` ends what was called.
    if (wait.kind === 'call') return []
    const task = tasks.get(wait.taskId)
    if (task?.status === 'pending')
      return endTask(tenant, { ...task, status: 'cancelled', completedAt: at, version: task.version + 1 })
    // The lease has cancelled the task already.
    return task?.status === 'cancelled' ? removeOffers(tenant, task) : []
  })
}

/** Removes suspended commands of an instance that has ended. Its suspended timers end with their waits. */
export const removeSuspended = ({ commands }: CommandRows): Write[] =>
  commands.filter(({ isSuspended }) => isSuspended).map(({ key }) => ({ remove: key }))

/**
 * Ends a pending task and removes it from the lists of its candidates and its record. Refused when it has ended
 * already.
 */
export const endTask = (tenant: TenantRef, task: Task): Write[] => [
  putEndedTask(tenant, task),
  ...removeOffers(tenant, task),
]

/** Stores a task that has ended, on condition that it is still pending. */
export const putEndedTask = (tenant: TenantRef, task: Task): Write => ({ put: taskItem(tenant, task), if: isPending })

/** Removes the candidate rows and the wait row of a task. */
const removeOffers = (tenant: TenantRef, task: Task): Write[] => [
  ...candidatesOf(task).map((candidate) => ({ remove: candidateKey(tenant, candidate, task.id) })),
  { remove: waitOfRecordKey(tenant, task.model, task.recordId, task.id) },
]

/** Marks an incident as resolved. */
export const resolveIncident = (tenant: TenantRef, id: number, at: string): Write => {
  const slot = setSlot(incidentSlot, incidentPartitionOf(tenant, 'resolved', id), idText(id))
  return {
    update: incidentKey(tenant, id),
    change: {
      expression: `SET #status = :resolved, resolved_at = :at, ${slot.expression}`,
      names: { '#status': 'status' },
      values: { ':resolved': 'resolved', ':at': at, ...slot.values },
    },
    if: exists,
  }
}
