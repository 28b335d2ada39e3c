import { slotPartition, type Key } from '../store/keys.ts'
import { slotName, updatedAtSlot } from '../store/slots.ts'
import type { Store } from '../store/table.ts'
import type { TenantRef } from '../tenancy.ts'

/** From one moment to another, the second one not counted in. */
export interface Span {
  readonly since: string
  readonly until: string
}

export interface ChangedPage {
  readonly keys: readonly Key[]
  readonly last?: Readonly<Record<string, string>>
}

/** Keys of living records that last changed within a span, oldest change first. */
export async function changedRecords(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  { since, until }: Span,
  limit: number,
  after?: Readonly<Record<string, string>>,
): Promise<ChangedPage> {
  const { items, last } = await store.query(tenant, {
    pk: slotPartition(tenant, model, 'updated_at'),
    index: slotName(updatedAtSlot),
    from: since,
    to: until,
    limit,
    after,
  })
  return { keys: items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })), last }
}
