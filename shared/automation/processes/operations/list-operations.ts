import { namesOf } from '../../../accounts/service.ts'
import { maxShownOperations } from '../../../kernel/limits/processes.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { instanceRowsPartition, operationsPrefix } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readOperation } from '../rows/operation-row.ts'
import { personOf } from '../tasks/describe-task.ts'
import type { OperationAnswer } from './schema.ts'

export interface ListedOperation {
  readonly id: string
  /** How many steps of the instance were stored before it, where that is known. */
  readonly steps?: number
  readonly answer: OperationAnswer
}

/** What operators did to an instance, newest first. */
export async function listOperations(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  instanceId: number,
): Promise<ListedOperation[]> {
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
  return done.map(({ id, steps, action, by, at, details }) => ({
    id,
    ...(steps !== undefined && { steps }),
    answer: {
      action,
      by: by.userId === 0 ? null : personOf(people, by.userId),
      at,
      details,
      ...(by.impersonatorId !== undefined && { impersonator: personOf(people, by.impersonatorId) }),
    },
  }))
}
