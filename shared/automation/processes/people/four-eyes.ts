import { makersOfKeys } from '../../../accounts/keys/api-key.ts'
import { namesOf } from '../../../accounts/people/user.ts'
import { Forbidden } from '../../../kernel/failures/faults.ts'
import { type Sentence, say } from '../../../kernel/failures/sentence.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { instanceRowsPartition, taskPeoplePrefix } from '../../../platform/store/keys/processes.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readTaskPeople, type TaskPeople } from '../rows/task-people-row.ts'
import type { ScopeRef, Task } from '../rows/task-row.ts'

type FourEyesTask = Pick<Task, 'instanceId' | 'fourEyes' | 'scopes'>
type Reads = Pick<Store, 'query' | 'getMany'>

/**
 * Why none of these people may do a task: the first of them who has completed the task that its `wf:fourEyes` names, in the
 * same pass of every sub-process around both. Undefined: they may. `people`: who would do it first, then those for whom.
 */
export async function fourEyesProblem(
  store: Reads,
  tenant: TenantRef,
  { instanceId, fourEyes, scopes }: FourEyesTask,
  people: readonly number[],
): Promise<Sentence | undefined> {
  if (fourEyes === null) return undefined
  const rows = await readAll(store as Store, tenant, {
    pk: instanceRowsPartition(tenant, instanceId),
    prefix: taskPeoplePrefix(fourEyes),
  })
  const done = rows.map(readTaskPeople).filter((one) => isSameScope(one.scopes, scopes))
  if (done.length === 0) return undefined
  // An API key is no second pair of eyes for whoever made it.
  const makers = await makersOfKeys(store, tenant, [...people, ...done.flatMap((one) => one.people)])
  const withMakers = (ids: readonly number[]): number[] => ids.flatMap((id) => [id, makers.get(id) ?? []].flat())
  const found = firstOf(
    done.map((by) => ({ by, people: withMakers(by.people) })),
    withMakers(people),
  )
  if (found === undefined) return undefined
  const { id, by } = found
  const name = (await namesOf(store, tenant, [id])).get(id) ?? 'Unknown user'
  return say(by.people.includes(id) ? 'task_done_by' : 'task_done_by_key_of', { name, task: by.name ?? fourEyes })
}

/** Throws Forbidden when one of these people may not do the task. */
export async function requireFourEyes(
  store: Reads,
  tenant: TenantRef,
  task: FourEyesTask,
  people: readonly number[],
): Promise<void> {
  const problem = await fourEyesProblem(store, tenant, task, people)
  if (problem !== undefined) throw new Forbidden('four_eyes', problem)
}

function firstOf(
  done: readonly { readonly by: TaskPeople; readonly people: readonly number[] }[],
  people: readonly number[],
): { readonly id: number; readonly by: TaskPeople } | undefined {
  for (const id of people) {
    const found = done.find((one) => one.people.includes(id))
    if (found !== undefined) return { id, by: found.by }
  }
  return undefined
}

/** Whether two tasks are in the same pass of each sub-process that is around both. */
export const isSameScope = (one: readonly ScopeRef[], other: readonly ScopeRef[]): boolean =>
  one.every(({ elementId, executionId }) =>
    other.every((scope) => scope.elementId !== elementId || scope.executionId === executionId),
  )
