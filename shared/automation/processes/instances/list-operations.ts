import { namesOf } from '../../../accounts/people/user.ts'
import { maxShownOperations } from '../../../kernel/limits/processes.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { instanceRowsPartition, operationsPrefix } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { OperationAnswer } from '../operations/schema.ts'
import { readOperation } from '../rows/operation-row.ts'
import { personOf } from '../tasks/describe-task.ts'

/** What operators did to an instance, newest first. */
export async function listOperations(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  instanceId: number,
): Promise<OperationAnswer[]> {
  const { items } = await store.query(tenant, {
    pk: instanceRowsPartition(tenant, instanceId),
    prefix: operationsPrefix,
    reverse: true,
    limit: maxShownOperations,
  })
  const done = items.map(readOperation).filter(({ refusal }) => refusal === undefined)
  if (done.length === 0) return []
  const people = await namesOf(
    store,
    tenant,
    done.flatMap(({ by }) => [by.userId || [], by.impersonatorId ?? []].flat()),
  )
  return done.map(({ action, by, at, details }) => ({
    action,
    by: by.userId === 0 ? null : personOf(people, by.userId),
    at,
    details,
    ...(by.impersonatorId !== undefined && { impersonator: personOf(people, by.impersonatorId) }),
  }))
}
