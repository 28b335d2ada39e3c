import type { TenantRef } from '../../../kernel/tenancy.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import {
  linkKey,
  linkSort,
  otherIdOf,
  parseLinkKey,
  relationLinksPartitionOf,
  type Side,
} from '../../../platform/store/keys/relations.ts'
import { linkSlot, slotEntry } from '../../../platform/store/slots.ts'
import type { Write } from '../../../platform/store/store.ts'
import { exists, isNew } from '../../../platform/store/writes/conditions.ts'

/** Two linked records of one relation. */
export interface Link {
  readonly relationId: number
  readonly l: number
  readonly r: number
}

/** DynamoDB's limit of writes in one transaction. */
export const maxWrites = 100

/** The link between the record `id` on `side` and `otherId` on the other side. */
export const linkBetween = (relationId: number, side: Side, id: number, otherId: number): Link =>
  side === 'l' ? { relationId, l: id, r: otherId } : { relationId, l: otherId, r: id }

/** The key of the link's row under its record on `side`. */
export const rowKey = (tenant: TenantRef, { relationId, l, r }: Link, side: Side) =>
  side === 'l' ? linkKey(tenant, relationId, 'l', l, r) : linkKey(tenant, relationId, 'r', r, l)

/** Both rows of a new link. The left one is also in the list of the relation's links. */
export function linkWrites(tenant: TenantRef, link: Link, made: { readonly by: number; readonly at: string }): Write[] {
  const common = { kind: 'link', v: 1, created_by: made.by, created_at: made.at }
  const listed = slotEntry(
    linkSlot,
    relationLinksPartitionOf(tenant, link.relationId, link.l),
    linkSort(link.l, link.r),
  )
  return [
    { put: { ...rowKey(tenant, link, 'l'), ...common, ...listed }, if: isNew },
    { put: { ...rowKey(tenant, link, 'r'), ...common }, if: isNew },
  ]
}

/** Removes both rows. `mustExist`: the row on this side must still exist, so that each removal is counted once. */
export const unlinkWrites = (tenant: TenantRef, link: Link, mustExist?: Side): Write[] =>
  (['l', 'r'] as const).map((side) => ({
    remove: rowKey(tenant, link, side),
    ...(side === mustExist && { if: exists }),
  }))

/** The ids of both records of a link, from the key of one of its rows. */
export const linkOf = (item: { readonly pk?: unknown; readonly sk?: unknown }): { l: number; r: number } =>
  parseLinkKey(keyOfItem(item))

/** The ids of the records on the other side of these link rows. */
export const otherIds = (items: readonly { readonly sk?: unknown }[]): number[] => items.map(otherIdOf)
