import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idText, type Key } from '../../../platform/store/keys/key.ts'
import {
  type Candidate,
  candidateKey,
  taskKey,
  taskPartitionOf,
  tasksOfRecordPartition,
  taskSort,
} from '../../../platform/store/keys/processes.ts'
import { slotEntry, taskSlots } from '../../../platform/store/slots.ts'
import { readJson, readJsonOrNull } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { equals } from '../../../platform/store/writes/conditions.ts'
import type { FormField } from '../definition/compiled-process.ts'

export const taskSequence = 'sys_process_tasks'

export const taskStatuses = ['pending', 'completed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** A user, manual or receive task of an instance. */
export interface Task {
  readonly id: number
  readonly instanceId: number
  readonly executionId: string
  readonly elementId: string
  readonly name: string | null
  readonly status: TaskStatus
  readonly model: string
  readonly recordId: number
  readonly assignee: number | null
  readonly candidateUsers: readonly number[]
  readonly candidateRoles: readonly string[]
  readonly candidateOrgUnits: readonly number[]
  readonly dueAt: string | null
  readonly priority: string | null
  readonly formKey: string | null
  readonly form: readonly FormField[]
  /** The allowed values of `outcome`; empty: any. */
  readonly outcomes: readonly string[]
  readonly outcome: string | null
  readonly createdAt: string
  readonly completedAt: string | null
  readonly completedBy: number | null
  /** Which instance of a multi-instance activity it is. */
  readonly loop: { readonly index: number; readonly total?: number; readonly item?: unknown } | null
}

export const taskItem = (tenant: TenantRef, task: Task): Item & Key => ({
  ...taskKey(tenant, task.id),
  kind: 'process_task',
  v: 1,
  instance_id: task.instanceId,
  execution_id: task.executionId,
  element_id: task.elementId,
  name: task.name,
  status: task.status,
  model: task.model,
  record_id: task.recordId,
  assignee: task.assignee,
  candidates: JSON.stringify({
    users: task.candidateUsers,
    roles: task.candidateRoles,
    orgUnits: task.candidateOrgUnits,
  }),
  due_at: task.dueAt,
  priority: task.priority,
  form_key: task.formKey,
  form: JSON.stringify(task.form),
  outcomes: JSON.stringify(task.outcomes),
  outcome: task.outcome,
  created_at: task.createdAt,
  completed_at: task.completedAt,
  completed_by: task.completedBy,
  loop: task.loop && JSON.stringify(task.loop),
  ...slotEntry(
    taskSlots.ofRecord,
    tasksOfRecordPartition(tenant, task.model, task.recordId),
    taskSort(task.status, task.id),
  ),
  ...slotEntry(taskSlots.byStatus, taskPartitionOf(tenant, { status: task.status }, task.id), idText(task.id)),
  ...(task.assignee !== null &&
    slotEntry(
      taskSlots.ofAssignee,
      taskPartitionOf(tenant, { assignee: task.assignee }, task.id),
      taskSort(task.status, task.id),
    )),
})

/** The condition that the task has not ended: of two writes that end it one is refused. */
export const isPending = equals('status', 'pending')

export function readTask(item: Item): Task {
  const candidates = readJson<{ users: number[]; roles: string[]; orgUnits: number[] }>(item, 'candidates')
  return {
    id: Number(item.sk),
    instanceId: Number(item.instance_id),
    executionId: String(item.execution_id),
    elementId: String(item.element_id),
    name: item.name as string | null,
    status: item.status as TaskStatus,
    model: String(item.model),
    recordId: Number(item.record_id),
    assignee: item.assignee as number | null,
    candidateUsers: candidates.users,
    candidateRoles: candidates.roles,
    candidateOrgUnits: candidates.orgUnits,
    dueAt: item.due_at as string | null,
    priority: item.priority as string | null,
    formKey: item.form_key as string | null,
    form: readJson<FormField[]>(item, 'form'),
    outcomes: readJson<string[]>(item, 'outcomes'),
    outcome: item.outcome as string | null,
    createdAt: String(item.created_at),
    completedAt: item.completed_at as string | null,
    completedBy: item.completed_by as number | null,
    loop: readJsonOrNull<NonNullable<Task['loop']>>(item, 'loop'),
  }
}

/** The candidates in whose lists a pending task appears, besides its assignee's. */
export const candidatesOf = (
  task: Pick<Task, 'candidateUsers' | 'candidateRoles' | 'candidateOrgUnits'>,
): readonly Candidate[] => [
  ...task.candidateUsers.map((id) => ({ kind: 'U', id }) as const),
  ...task.candidateRoles.map((id) => ({ kind: 'R', id }) as const),
  ...task.candidateOrgUnits.map((id) => ({ kind: 'O', id }) as const),
]

/** The rows that make a pending task appear in the lists of its candidates. */
export const candidateItems = (tenant: TenantRef, task: Task): (Item & Key)[] =>
  candidatesOf(task).map((candidate) => ({ ...candidateKey(tenant, candidate, task.id), kind: 'task_candidate', v: 1 }))
