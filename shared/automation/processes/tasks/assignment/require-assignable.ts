import { findUser } from '../../../../accounts/people/user.ts'
import { Invalid } from '../../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import type { Task } from '../../rows/task-row.ts'
import { fourEyesProblem } from '../four-eyes/four-eyes.ts'
import type { TaskDependencies } from './change-task.ts'

/**
 * Throws Invalid naming the field unless its value is the id of an active user who may do the task. `others`: those for
 * whom they would do it.
 */
export async function requireAssignable(
  { store }: Pick<TaskDependencies, 'store'>,
  tenant: Tenant,
  task: Task,
  field: 'assignee' | 'to',
  id: number,
  others: readonly number[] = [],
): Promise<void> {
  const user = await findUser(store, tenant, id)
  const problem = user?.isActive ? await fourEyesProblem(store, tenant, task, [id, ...others]) : undefined
  if (problem !== undefined) throw new Invalid({ [field]: [problem] })
  if (user?.isActive) return
  throw new Invalid({
    [field]: [
      user === undefined
        ? `The selected ${field} is invalid: there is no user ${id}.`
        : `The selected ${field} is invalid: ${user.name} is not active any more.`,
    ],
  })
}
