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
import type { Condition } from '../../../platform/store/store.ts'
import { readJson, readJsonOrNull } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { and, equals, lacks, or } from '../../../platform/store/writes/conditions.ts'
import type { FormField } from '../../bpmn/shapes/compiled-process.ts'
import type { TaskAction } from './task-actions.ts'

export const taskSequence = 'sys_process_tasks'

export const taskStatuses = ['pending', 'completed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** Who did what with a task. */
export interface TaskEvent {
  readonly what: TaskAction
  /** 0: the service itself. */
  readonly by: number
  /** The administrator who acted as `by`. */
  readonly impersonator?: number
  /** Whose task it was, when somebody else did it for them. */
  readonly for?: number
  /** Who has the task since. */
  readonly to?: number
  /** When it is due since; null: at no time. */
  readonly dueAt?: string | null
  readonly at: string
}

/** What a delegate entered, which the owner completes the task with. */
export interface Proposal {
  readonly outcome: string | null
  /** Values that are bound to no field, by their name in the form. */
  readonly data: Readonly<Record<string, unknown>>
  /** The bound fields whose values are in the record already. */
  readonly written: readonly string[]
}

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
  /** Every change raises it. */
  readonly version: number
  /** To whom the task returns from its delegate; null: it was not delegated. */
  readonly owner: number | null
  readonly delegation: 'pending' | 'resolved' | null
  readonly proposal: Proposal | null
  /** The delegates who were done with it. */
  readonly workers: readonly number[]
  /** Its assignee took it, or has it from who did, when nobody was asked to do it: neither by the template nor an administrator. */
  readonly isTaken: boolean
  /** Of a task that a substitute has: whose it is. */
  readonly substitutedFor: number | null
  /** The element whose people may not do it. */
  readonly fourEyes: string | null
  /** Another task names its element in `wf:fourEyes`, so who completes it is noted. */
  readonly isNoted: boolean
  /** The sub-processes around it, outermost first, where `fourEyes` or `isNoted` need them. */
  readonly scopes: readonly ScopeRef[]
  /** The newest `maxTaskEvents`, oldest first. */
  readonly history: readonly TaskEvent[]
}

/** A task as a reader sees it. */
export interface ShownTask extends Task {
  /** Something of it is left out: a field went into it that the reader may not read. */
  readonly isHidden?: true
}

/** A pass of a sub-process. */
export interface ScopeRef {
  readonly elementId: string
  readonly executionId: string
}

/** What a task has before anybody did anything with it. */
export const untouched = {
  version: 1,
  owner: null,
  delegation: null,
  proposal: null,
  workers: [],
  isTaken: false,
  substitutedFor: null,
  fourEyes: null,
  isNoted: false,
  scopes: [],
  history: [],
} as const

/** A person does not do more with a task than that; of one that is passed on and on, the oldest events go. */
const maxTaskEvents = 50

/** The task with one more event in its history. */
export const withEvent = (task: Task, event: TaskEvent): Task => ({
  ...task,
  history: [...task.history, event].slice(-maxTaskEvents),
})

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
  version: task.version,
  ...(task.owner !== null && { owner: task.owner }),
  ...(task.delegation !== null && { delegation: task.delegation }),
  ...(task.proposal !== null && { proposal: JSON.stringify(task.proposal) }),
  ...(task.workers.length > 0 && { workers: JSON.stringify(task.workers) }),
  ...(task.substitutedFor !== null && { substituted_for: task.substitutedFor }),
  ...(task.fourEyes !== null && { four_eyes: task.fourEyes }),
  ...(task.isNoted && { is_noted: true }),
  ...(task.scopes.length > 0 && { scopes: JSON.stringify(task.scopes) }),
  ...(task.history.length > 0 && { history: JSON.stringify(task.history), is_taken: task.isTaken }),
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

/** The condition that nobody has changed the task since it was read. Tasks had no version once. */
const isUnchangedTask = ({ version }: Pick<Task, 'version'>): Condition =>
  version === 1 ? or(lacks('version'), equals('version', 1)) : equals('version', version)

/** The condition that the task is pending and nobody has changed it since it was read. */
export const isUnchangedPending = (task: Pick<Task, 'version'>): Condition => and(isPending, isUnchangedTask(task))

export function readTask(item: Item): Task {
  const candidates = readJson<{ users: number[]; roles: string[]; orgUnits: number[] }>(item, 'candidates')
  const history = item.history === undefined ? [] : readJson<TaskEvent[]>(item, 'history')
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
    version: Number(item.version ?? 1),
    owner: (item.owner ?? null) as number | null,
    delegation: (item.delegation ?? null) as Task['delegation'],
    proposal: item.proposal === undefined ? null : readJson<Proposal>(item, 'proposal'),
    workers: item.workers === undefined ? [] : readJson<number[]>(item, 'workers'),
    substitutedFor: (item.substituted_for ?? null) as number | null,
    fourEyes: (item.four_eyes ?? null) as string | null,
    isNoted: item.is_noted === true,
    scopes: item.scopes === undefined ? [] : readJson<ScopeRef[]>(item, 'scopes'),
    // Rows did not say so once. Then what somebody has claimed was not given to them.
    isTaken: item.is_taken === undefined ? history.some(({ what }) => what === 'claimed') : item.is_taken === true,
    history,
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
