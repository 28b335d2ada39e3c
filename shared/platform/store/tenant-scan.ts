import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { type KeyRangePage, projection } from './client/key-range.ts'
import { openClient } from './client/open-client.ts'
import { tenantPrefix } from './keys/key.ts'
import { marshal, unmarshal } from './values/marshal.ts'

/** The members of items that a scan answers: their keys and kinds, and whose account they are. */
const scanned = ['pk', 'sk', 'kind', 'id', 'email'] as const

export type TenantScan = ReturnType<typeof createTenantScan>

/**
 * Reads the whole table for what no key finds, at most so many read units a second: what everybody else reads in the same
 * table must not wait for it. It is not part of the store, so that the functions that never need it neither load it nor are
 * allowed it.
 */
export function createTenantScan(
  TableName: string,
  { clock, unitsPerSecond }: { readonly clock: Pick<Clock, 'now' | 'sleep'>; readonly unitsPerSecond: number },
  client: Pick<DynamoDBClient, 'send'> = openClient(),
) {
  /** When the units of the pages before are paid for. */
  let freeAtMs = 0

  /**
   * One page: some members of the items in a tenant's partitions, or naming it as `tenant_id`. Strongly consistent. `after`:
   * the last key of the previous page. A page is a
   * megabyte, at most 256 units. Waits first when the pages before took more than their share.
   */
  return async (tenant: TenantRef, after?: Readonly<Record<string, string>>): Promise<KeyRangePage> => {
    const waitMs = freeAtMs - clock.now()
    if (waitMs > 0) await clock.sleep(waitMs)
    const {
      Items = [],
      LastEvaluatedKey,
      ConsumedCapacity,
    } = await client.send(
      new ScanCommand({
        TableName,
        FilterExpression: 'begins_with(#_pk, :prefix) OR tenant_id = :id',
        ...projection(scanned),
        ExpressionAttributeValues: marshal({ ':prefix': tenantPrefix(tenant), ':id': tenant.id }),
        ConsistentRead: true,
        ExclusiveStartKey: after && marshal(after),
        ReturnConsumedCapacity: 'TOTAL',
      }),
    )
    freeAtMs = Math.max(freeAtMs, clock.now()) + ((ConsumedCapacity?.CapacityUnits ?? 0) * 1000) / unitsPerSecond
    return {
      items: Items.map(unmarshal),
      last: LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as Record<string, string>),
    }
  }
}
