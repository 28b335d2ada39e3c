import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { taskPeopleKey } from '../../../platform/store/keys/processes.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { ScopeRef, Task } from './task-row.ts'

/** Who has completed a task that `wf:fourEyes` of another one names. */
export interface TaskPeople {
  readonly name: string | null
  /** Who did it, whom they did it for, and who had a part in it. */
  readonly people: readonly number[]
  readonly scopes: readonly ScopeRef[]
}

export const taskPeopleItem = (
  tenant: TenantRef,
  { id, instanceId, elementId, name, scopes }: Pick<Task, 'id' | 'instanceId' | 'elementId' | 'name' | 'scopes'>,
  people: readonly number[],
): Item & Key => ({
  ...taskPeopleKey(tenant, instanceId, elementId, id),
  kind: 'task_people',
  v: 1,
  name,
  people: JSON.stringify(people),
  scopes: JSON.stringify(scopes),
})

export const readTaskPeople = (item: Item): TaskPeople => ({
  name: item.name as string | null,
  people: readJson<number[]>(item, 'people'),
  scopes: readJson<ScopeRef[]>(item, 'scopes'),
})
