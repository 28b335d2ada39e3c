import type { TenantRef } from '../../kernel/tenancy.ts'
import { isNew } from '../../store/conditions.ts'
import { wasApplied } from '../../store/refusals.ts'
import type { Store } from '../../store/store.ts'
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
