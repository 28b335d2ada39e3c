import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type ChangeSort, changePartitions, parseChangeSort } from '../../../platform/store/keys/columns.ts'
import { idText } from '../../../platform/store/keys/key.ts'
import { recordKey, tombstoneKey } from '../../../platform/store/keys/records.ts'
import { readRecordWrite } from '../../../platform/store/rows/record-row.ts'
import { readTombstone } from '../../../platform/store/rows/tombstone-row.ts'
import { changeSlot, slotName, slotSort } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** A span of time (ISO), `until` excluded. */
export interface Span {
  readonly since: string
  readonly until: string
}

export interface ChangedPage {
  readonly changes: readonly ChangeSort[]
  /** Where the next page begins; undefined on the last page. */
  readonly next?: string
}

/** The records, living or gone, that last changed within a span: oldest change first, one page. */
export async function changedRecords(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  { since, until }: Span,
  limit: number,
  from = since,
): Promise<ChangedPage> {
  const pages = await Promise.all(
    changePartitions(tenant, model).map((pk) =>
      store.query(tenant, { pk, index: slotName(changeSlot), from, to: until, limit }),
    ),
  )
  const sorts = pages.flatMap(({ items }) => items.map((item) => slotSort(item, changeSlot))).sort()
  const taken = sorts.slice(0, limit)
  const hasMore = sorts.length > limit || pages.some(({ last }) => last !== undefined)
  return {
    changes: taken.map(parseChangeSort),
    // The smallest sort key above the last one taken.
    ...(hasMore && { next: `${taken.at(-1) ?? from}\u0000` }),
  }
}

/**
 * The last stream image of each changed record: its row, or one made from its tombstone. That of a deleted record has no
 * fields. Records that changed again after the span are left out.
 */
export async function lastImages(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  model: string,
  changes: readonly ChangeSort[],
  { until }: Span,
): Promise<Item[]> {
  // A record whose delete is in flight still has its row. When the delete ends between the reads, its tombstone is found.
  const rows = await store.getMany(
    tenant,
    changes.map(({ id }) => recordKey(tenant, model, id)),
  )
  const withoutRow = changes.filter((_, index) => rows[index] === undefined)
  const tombstones = await store.getMany(
    tenant,
    withoutRow.map(({ id }) => tombstoneKey(tenant, model, id)),
  )
  const images = [
    ...rows.map((item) => (item && readRecordWrite(item).isDelete ? { ...item, data: '{}' } : item)),
    ...tombstones.map((item) => item && tombstoneImage(tenant, model, item)),
  ]
  return images.filter((item) => item !== undefined).filter((item) => readRecordWrite(item).at < until)
}

/** A tombstone in the form of its record's last stream image, without the fields. */
function tombstoneImage(tenant: TenantRef, model: string, item: Item): Item {
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
