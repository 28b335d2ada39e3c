import type { TenantRef } from '../../kernel/tenancy.ts'
import { preferencesKey } from '../../platform/store/keys/messages/bell.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Preferences, preferencesOf, readChoices } from './preferences-row.ts'

/** Where users want to receive notifications, by user and category. Reads all of them at once. */
export async function readPreferences(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Preferences>> {
  const distinct = [...new Set(userIds)]
  const items = await store.getMany(
    tenant,
    distinct.map((id) => preferencesKey(tenant, id)),
  )
  return new Map(distinct.map((id, index) => [id, preferencesOf(readChoices(items[index]))]))
}
