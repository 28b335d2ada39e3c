import type { Viewer } from '../../../kernel/principal.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readTask } from '../rows/task-row.ts'
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
