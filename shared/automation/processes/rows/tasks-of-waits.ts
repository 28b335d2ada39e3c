import type { TenantRef } from '../../../kernel/tenancy.ts'
import { taskKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { OpenWait } from './instance-row.ts'
import { readTask, type Task } from './task-row.ts'

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
