import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type KeyRangePage, projection } from './client/key-range.ts'
import { openClient } from './client/open-client.ts'
import { tenantPrefix } from './keys/key.ts'
import { marshal, unmarshal } from './values/marshal.ts'

/** The members of items that a scan answers: their keys and kinds, of which user they are, and of intents to whom they go. */
const scanned = ['pk', 'sk', 'kind', 'id', 'user_id', 'email', 'uuid', 'channel_type', 'recipients'] as const

export type TenantScan = ReturnType<typeof createTenantScan>

/**
 * Reads the whole table for what no key finds. It is not part of the store, so that the functions that never need it
 * neither load it nor are allowed it.
 */
export function createTenantScan(TableName: string, client: Pick<DynamoDBClient, 'send'> = openClient()) {
  /**
   * One page: some members of the items in a tenant's partitions, or naming it as
   * `tenant_id`, or naming the address `email`. Strongly consistent. `after`: the last key of the previous page.
   */
  return async (
    tenant: TenantRef,
    after?: Readonly<Record<string, string>>,
    email?: string | null,
  ): Promise<KeyRangePage> => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName,
        FilterExpression: `begins_with(#_pk, :prefix) OR tenant_id = :id${email ? ' OR #_email = :email' : ''}`,
        ...projection(scanned),
        ExpressionAttributeValues: marshal({
          ':prefix': tenantPrefix(tenant),
          ':id': tenant.id,
          ...(email && { ':email': email }),
        }),
        ConsistentRead: true,
        ExclusiveStartKey: after && marshal(after),
      }),
    )
    return {
      items: Items.map(unmarshal),
      last: LastEvaluatedKey && (unmarshal(LastEvaluatedKey) as Record<string, string>),
    }
  }
}
