import type { TenantRef } from '../../kernel/tenancy.ts'
import { idText, type Key, keyOfItem } from '../../store/keys/key.ts'
import { tombstonePartition, slotPartition } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { readTombstone } from '../../store/rows/tombstone-row.ts'
import { tombstoneSlot, slotName, updatedAtSlot } from '../../store/slots.ts'
import type { Store } from '../../store/store.ts'

/** A span of time (ISO), `until` excluded. */
export interface Span {
  readonly since: string
  readonly until: string
}

/** Living records, or deleted ones by their tombstones. */
export type Life = 'living' | 'gone'

export interface ChangedPage {
  readonly keys: readonly Key[]
  readonly last?: Readonly<Record<string, string>>
}

/** Keys of the living records, or tombstones, that last changed within a span: oldest change first, one page. */
export async function changedRecords(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  life: Life,
  { since, until }: Span,
  limit: number,
  after?: Readonly<Record<string, string>>,
): Promise<ChangedPage> {
  const { items, last } = await store.query(tenant, {
    ...(life === 'living'
      ? { pk: slotPartition(tenant, model, 'updated_at'), index: slotName(updatedAtSlot) }
      : { pk: tombstonePartition(tenant, model), index: slotName(tombstoneSlot) }),
    from: since,
    to: until,
    limit,
    after,
  })
  return { keys: items.map(keyOfItem), last }
}

/** A tombstone in the form of its record's last stream image, without the fields. */
export function lastImage(tenant: TenantRef, model: string, item: Item): Item {
  const { id, version, created_by, created_at, deletedBy, deletedAt } = readTombstone(item)
  return {
    sk: idText(id),
    tenant_id: tenant.id,
    model,
    version,
    created_by,
    created_at,
    updated_by: deletedBy,
    updated_at: deletedAt,
    deleted_by: deletedBy,
    deleted_at: deletedAt,
    data: '{}',
  }
}
