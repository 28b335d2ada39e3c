import type { TenantRef } from '../../../kernel/tenancy.ts'
import { intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { PreparedIntent } from './write-intent.ts'

/** Stores an intent that belongs to no operation. A repeat under the same uuid sends nothing again. */
export async function storeIntent(
  {
    store,
    putObject,
  }: {
    readonly store: Pick<Store, 'write'>
    readonly putObject: (key: string, body: Uint8Array) => Promise<void>
  },
  tenant: TenantRef,
  { write, object }: PreparedIntent,
): Promise<void> {
  if (object) await putObject(object.key, object.body)
  await wasApplied(store.write(tenant, { ...write, if: isNew }))
}

/** Those of some intents that are stored. */
export async function storedIntents(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = uuids.map((uuid) => intentKey(tenant, uuid))
  const items = await store.getMany(tenant, keys, ['pk', 'sk'])
  return new Set(uuids.filter((_, index) => items[index] !== undefined))
}
