import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { cleanupDueKey } from '../../platform/store/keys/records.ts'
import { relationRemovalKey } from '../../platform/store/keys/relations.ts'
import { dueEntry } from '../../platform/store/slots.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { relationSequence } from './relation.ts'

/** A deleted relation whose links still have to be removed. */
export interface RelationRemoval {
  readonly userId: number
  readonly deletedAt: string
  /** Rises each time the removal is queued, so that the change feed reports the row again. */
  readonly round: number
}

/** The row that queues the removal of a deleted relation's links. The sweeper finds it as well. */
export const relationRemovalItem = (
  tenant: TenantRef,
  id: number,
  { userId, deletedAt, round }: RelationRemoval,
  dueAt: string,
): Item & Key => ({
  ...relationRemovalKey(tenant, id),
  kind: 'relation-removal',
  v: 1,
  feed: 'relation',
  tenant_id: tenant.id,
  model: relationSequence,
  version: 1,
  deleted_at: deletedAt,
  deleted_by: userId,
  removal: 'queued',
  removal_round: round,
  ...dueEntry(cleanupDueKey(dueAt, tenant, relationSequence, id)),
})

/** Reads the row of a relation removal. */
export const readRelationRemoval = (item: Item): RelationRemoval => ({
  userId: Number(item.deleted_by),
  deletedAt: String(item.deleted_at),
  round: Number(item.removal_round),
})
