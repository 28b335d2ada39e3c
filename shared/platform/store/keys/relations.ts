import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idKey, idText, type Key, shardOf, shardsOf, tenantPrefix } from './key.ts'
import { retentionPartition } from './records.ts'

/** The two sides of a relation. Each link is two rows, one under the record of each side. */
export type Side = 'l' | 'r'

export const linkPartition = (tenant: TenantRef, relationId: number, side: Side, id: number): string =>
  `${tenantPrefix(tenant)}L#${relationId}#${side}#${id}`
export const linkKey = (tenant: TenantRef, relationId: number, side: Side, id: number, otherId: number): Key =>
  idKey(linkPartition(tenant, relationId, side, id), otherId)
/** The links among what is retained of a deleted record. */
export const retainedLinkPrefix = 'LINK#'
/** A link of a deleted record, which was on `side`. */
export const retainedLinkKey = (
  tenant: TenantRef,
  { model, id }: { readonly model: string; readonly id: number },
  { relationId, side, otherId }: RetainedLinkSort,
): Key => ({
  pk: retentionPartition(tenant, model, id),
  sk: `${retainedLinkPrefix}${relationId}#${side}#${idText(otherId)}`,
})
interface RetainedLinkSort {
  readonly relationId: number
  readonly side: Side
  readonly otherId: number
}
/** The relation, the side and the other record of a retained link. */
export function parseRetainedLink({ sk }: Pick<Key, 'sk'>): RetainedLinkSort {
  const [, relation, side, other] = /^LINK#(\d+)#([lr])#(\d+)$/.exec(sk) ?? []
  return { relationId: Number(relation), side: side as Side, otherId: Number(other) }
}
/** A removed relation whose links are still being removed. */
export const relationRemovalKey = (tenant: TenantRef, relationId: number): Key =>
  idKey(`${tenantPrefix(tenant)}REMOVALS`, relationId)
const relationLinks = (tenant: TenantRef, relationId: number): string => `${tenantPrefix(tenant)}L#${relationId}`
/** The shards of all links of a relation (slot 15). */
export const relationLinksPartitions = (tenant: TenantRef, relationId: number): readonly string[] =>
  shardsOf(relationLinks(tenant, relationId))
/** The one of `relationLinksPartitions` that holds the links of a left record. */
export const relationLinksPartitionOf = (tenant: TenantRef, relationId: number, l: number): string =>
  shardOf(relationLinks(tenant, relationId), l)
/** The sort key of a link in `relationLinksPartitions`: left record, right record. */
export const linkSort = (l: number, r: number): string => `${idText(l)}#${idText(r)}`

/** The id of the record at the other end of a link row. */
export const otherIdOf = (key: { readonly sk?: unknown }): number => Number(key.sk)
/** The ids of the left and right record of a link row. */
export function parseLinkKey(key: Key): { l: number; r: number } {
  const [, side, id] = /#([lr])#(\d+)$/.exec(key.pk) ?? []
  return side === 'l' ? { l: Number(id), r: otherIdOf(key) } : { l: otherIdOf(key), r: Number(id) }
}
