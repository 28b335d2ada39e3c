import { namesOf } from '../../../accounts/people/user.ts'
import { type Substitute, substitutesOf } from '../../../accounts/substitutes/find-substitutes.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import { recordIdOrNull } from '../rows/instance-row.ts'
import type { ShownTask, Task } from '../rows/task-row.ts'
import type { TaskAnswer } from '../schema.ts'

/** Tasks in the shape of the API, with the current names of users. */
export async function describeTasks(
  services: DescribeDependencies,
  tenant: TenantRef,
  tasks: readonly ShownTask[],
): Promise<TaskAnswer[]> {
  const [names, substitutes] = await Promise.all([
    namesOf(
      services.store,
      tenant,
      tasks.flatMap(({ completedBy }) => completedBy ?? []),
    ),
    substitutesOfTasks(services, tenant, tasks),
  ])
  return tasks.map((task) => describe(task, names, substitutes))
}

/** The same without substitutes, who have to do with open tasks only. */
export async function describeStoredTasks(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  tasks: readonly ShownTask[],
): Promise<TaskAnswer[]> {
  const names = await namesOf(
    store,
    tenant,
    tasks.flatMap(({ completedBy }) => completedBy ?? []),
  )
  return tasks.map((task) => describe(task, names, new Map()))
}

interface DescribeDependencies {
  readonly store: Pick<Store, 'getMany'>
  readonly clock: Pick<Clock, 'now'>
}

/** Who stands in for the assignees of open tasks. */
const substitutesOfTasks = (
  { store, clock }: DescribeDependencies,
  tenant: TenantRef,
  tasks: readonly Task[],
): Promise<ReadonlyMap<number, Substitute>> =>
  substitutesOf(
    store,
    tenant,
    tasks.flatMap(({ status, assignee }) => (status === 'pending' && assignee !== null ? [assignee] : [])),
    clock.now(),
  )

/**
 * Who has a task, and for whom: the substitute of its assignee has what was given to the assignee since the substitution
 * began, and as long as it lasts. The row stays that of the assignee, so nothing has to be moved back.
 */
export function holderOf(
  task: Pick<Task, 'status' | 'assignee' | 'substitutedFor' | 'history' | 'createdAt'>,
  substitutes: ReadonlyMap<number, Substitute>,
): { readonly assignee: number | null; readonly substituted_for: number | null } {
  const { status, assignee, substitutedFor, history, createdAt } = task
  const substitute = status === 'pending' && assignee !== null ? substitutes.get(assignee) : undefined
  const given = history.findLast(({ what }) => what === 'claimed' || givesTask.has(what))
  const isGiven = given === undefined || givesTask.has(given.what)
  return substitute && isGiven && substitute.since <= (given?.at ?? createdAt)
    ? { assignee: substitute.id, substituted_for: assignee }
    : { assignee, substituted_for: substitutedFor }
}

/** What gives somebody a task without their doing. */
const givesTask: ReadonlySet<string> = new Set(['reassigned', 'delegated', 'resolved'])

const describe = (
  task: ShownTask,
  names: ReadonlyMap<number, string>,
  substitutes: ReadonlyMap<number, Substitute>,
): TaskAnswer => ({
  id: task.id,
  instance_id: task.instanceId,
  element_id: task.elementId,
  name: task.name,
  status: task.status,
  model: task.model,
  record_id: recordIdOrNull(task.recordId),
  ...holderOf(task, substitutes),
  candidates: {
    users: [...task.candidateUsers],
    roles: [...task.candidateRoles],
    org_units: [...task.candidateOrgUnits],
  },
  due_at: task.dueAt,
  priority: task.priority,
  form_key: task.formKey,
  form: task.form.map(
    ({
      name,
      label = null,
      type,
      isRequired,
      isReadonly,
      bind = null,
      default: preset = null,
      options = [],
      scale = null,
    }) => ({
      name,
      label,
      type,
      required: isRequired,
      readonly: isReadonly,
      bind,
      default: preset,
      options: [...options],
      scale,
    }),
  ),
  outcomes: [...task.outcomes],
  outcome: task.outcome,
  created_at: task.createdAt,
  completed_at: task.completedAt,
  completed_by: task.completedBy === null ? null : personOf(names, task.completedBy),
  owner: task.owner,
  delegation: task.delegation,
  proposal: task.proposal && { outcome: task.proposal.outcome, data: { ...task.proposal.data } },
  four_eyes: task.fourEyes,
  version: task.version,
  ...(task.isHidden && { is_hidden: task.isHidden }),
})

/** A user in the shape of the API. */
export const personOf = (names: ReadonlyMap<number, string>, id: number) => ({
  id,
  name: names.get(id) ?? 'Unknown user',
})

/** One task in the shape of the API, with what people did with it. */
export async function describeTask(
  services: DescribeDependencies,
  tenant: TenantRef,
  task: ShownTask,
): Promise<TaskAnswer> {
  const { history, completedBy } = task
  const [names, substitutes] = await Promise.all([
    namesOf(
      services.store,
      tenant,
      [
        ...(completedBy === null ? [] : [completedBy]),
        ...history.flatMap((event) =>
          [event.by, event.to, event.for, event.impersonator].filter((id) => id !== undefined),
        ),
      ].filter((id) => id !== 0),
    ),
    substitutesOfTasks(services, tenant, [task]),
  ])
  const person = (id: number | undefined) => (id === undefined ? undefined : personOf(names, id))
  return {
    ...describe(task, names, substitutes),
    history: history.map(({ what, by, to, for: whose, impersonator, dueAt, at }) => ({
      what,
      by: by === 0 ? null : personOf(names, by),
      at,
      ...(impersonator !== undefined && { impersonator: person(impersonator) }),
      ...(whose !== undefined && { for: person(whose) }),
      ...(to !== undefined && { to: person(to) }),
      ...(typeof dueAt === 'string' && { due_at: dueAt }),
    })),
  }
}
