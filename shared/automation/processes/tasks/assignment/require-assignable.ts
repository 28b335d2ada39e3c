import { findUser } from '../../../../accounts/service.ts'
import { Invalid } from '../../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../../kernel/tenancy.ts'
import type { TaskDependencies } from './change-task.ts'

/** Throws Invalid naming the field unless its value is the id of an active user. */
export async function requireAssignable(
  { store }: Pick<TaskDependencies, 'store'>,
  tenant: Tenant,
  field: 'assignee' | 'to',
  id: number,
): Promise<void> {
  const user = await findUser(store, tenant, id)
  if (user?.isActive) return
  throw new Invalid({
    [field]: [
      user === undefined
        ? `The selected ${field} is invalid: there is no user ${id}.`
        : `The selected ${field} is invalid: ${user.name} is not active any more.`,
    ],
  })
}
