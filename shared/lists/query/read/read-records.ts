import type { TenantRef } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** The attributes of a record that a query needs. */
export const recordAttributes = [
  'pk',
  'sk',
  'tenant_id',
  'version',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'data',
  'conversation',
  'deleted_at',
  'merged_into',
] as const

/** Reads records by id, in the order of `ids`; undefined for each that does not exist. */
export const readRecords = (
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  model: string,
  ids: readonly number[],
): Promise<(Item | undefined)[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : store.getMany(
        tenant,
        ids.map((id) => recordKey(tenant, model, id)),
        recordAttributes,
      )
