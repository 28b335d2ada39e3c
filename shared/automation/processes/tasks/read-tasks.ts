import type { TenantRef } from '../../../kernel/tenancy.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readTask } from '../rows/task-row.ts'
import type { TaskAnswer } from '../schema.ts'
import { describeStoredTasks } from './describe-task.ts'

/** Tasks that have ended in the shape of the API, by id. */
export async function readTasks(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TaskAnswer>> {
  if (ids.length === 0) return new Map()
  const items = await store.getMany(
    tenant,
    [...new Set(ids)].map((id) => taskKey(tenant, id)),
  )
  const tasks = await describeStoredTasks(store, tenant, items.filter((item) => item !== undefined).map(readTask))
  return new Map(tasks.map((task) => [task.id, task]))
}
