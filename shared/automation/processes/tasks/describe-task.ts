import { namesOf } from '../../../accounts/service.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import { recordIdOrNull } from '../rows/instance-row.ts'
import type { Task } from '../rows/task-row.ts'
import type { TaskAnswer } from '../schema.ts'

/** Tasks in the shape of the API, with the current names of users. */
export async function describeTasks(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  tasks: readonly Task[],
): Promise<TaskAnswer[]> {
  const names = await namesOf(
    store,
    tenant,
    tasks.flatMap(({ completedBy }) => completedBy ?? []),
  )
  return tasks.map((task) => describe(task, names))
}

const describe = (task: Task, names: ReadonlyMap<number, string>): TaskAnswer => ({
  id: task.id,
  instance_id: task.instanceId,
  element_id: task.elementId,
  name: task.name,
  status: task.status,
  model: task.model,
  record_id: recordIdOrNull(task.recordId),
  assignee: task.assignee,
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
  version: task.version,
})

/** A user in the shape of the API. */
export const personOf = (names: ReadonlyMap<number, string>, id: number) => ({
  id,
  name: names.get(id) ?? 'Unknown user',
})

/** One task in the shape of the API, with what people did with it. */
export async function describeTask(store: Pick<Store, 'getMany'>, tenant: TenantRef, task: Task): Promise<TaskAnswer> {
  const { history, completedBy } = task
  const names = await namesOf(
    store,
    tenant,
    [
      ...(completedBy === null ? [] : [completedBy]),
      ...history.flatMap((event) =>
        [event.by, event.to, event.for, event.impersonator].filter((id) => id !== undefined),
      ),
    ].filter((id) => id !== 0),
  )
  const person = (id: number | undefined) => (id === undefined ? undefined : personOf(names, id))
  return {
    ...describe(task, names),
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
