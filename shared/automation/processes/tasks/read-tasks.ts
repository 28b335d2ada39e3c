import type { Viewer } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { OpenWait } from '../rows/instance-row.ts'
import { readTask, type Task } from '../rows/task-row.ts'
import type { TaskAnswer } from '../schema.ts'
import { describeStoredTasks } from './describe-task.ts'
import { withoutDerived } from './shown-tasks.ts'

/** Tasks that have ended in the shape of the API, by id, as a viewer sees them. */
export async function readTasks(
  store: Pick<Store, 'get' | 'getMany'>,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TaskAnswer>> {
  if (ids.length === 0) return new Map()
  const { tenant } = viewer
  const items = await store.getMany(
    tenant,
    [...new Set(ids)].map((id) => taskKey(tenant, id)),
  )
  const found = items.filter((item) => item !== undefined).map(readTask)
  const tasks = await describeStoredTasks(store, tenant, await withoutDerived(store, viewer, found))
  return new Map(tasks.map((task) => [task.id, task]))
}

/** Reads the tasks among the waits of an instance, by id. */
export async function tasksOf(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  waits: readonly OpenWait[],
): Promise<ReadonlyMap<number, Task>> {
  const ids = waits.flatMap((wait) => (wait.kind === 'task' ? [wait.taskId] : []))
  if (ids.length === 0) return new Map()
  const items = await store.getMany(
    tenant,
    ids.map((id) => taskKey(tenant, id)),
  )
  return new Map(
    items
      .filter((item) => item !== undefined)
      .map(readTask)
      .map((task) => [task.id, task]),
  )
}
