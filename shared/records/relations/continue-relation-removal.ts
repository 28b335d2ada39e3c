import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { configKey } from '../../platform/store/keys/configuration.ts'
import { idText, type Key, keyOfItem } from '../../platform/store/keys/key.ts'
import { cleanupDueKey } from '../../platform/store/keys/records.ts'
import { parseLinkKey, relationLinksPartitions, relationRemovalKey } from '../../platform/store/keys/relations.ts'
import { readPages } from '../../platform/store/ranges/read-all.ts'
import { dueEntry, linkSlot, slotName } from '../../platform/store/slots.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { exists } from '../../platform/store/writes/conditions.ts'
import type { RelationDependencies } from './dependencies.ts'
import { removeLinks } from './links/remove-links.ts'
import { relationSequence } from './relation.ts'

type Dependencies = Pick<RelationDependencies, 'store' | 'config' | 'clock'>

/** Links removed between two checks of the time. */
const batch = 500
/** Longer than a request may take that read the relation before its delete. */
const lateLinkMs = 60_000

/**
 * Removes the links of a deleted relation. A request that read the relation before its delete may still add a link, and
 * the index is eventually consistent: so the row is queued once more, for after the last such request. Idempotent.
 */
export async function continueRelationRemoval(
  { store, clock }: Dependencies,
  tenant: Tenant,
  id: number,
  timeIsUp: () => boolean,
): Promise<'finished' | 'unfinished' | 'nothing to do'> {
  const key = relationRemovalKey(tenant, id)
  const item = await store.get(tenant, key)
  if (!item || (await store.get(tenant, configKey(tenant, 'RELATION', idText(id))))) return 'nothing to do'
  const removal = readRelationRemoval(item)
  const requeue = (round: number, dueMs: number) =>
    store.write(tenant, {
      put: relationRemovalItem(tenant, id, { ...removal, round }, isoTime(dueMs)),
      if: exists,
    })
  const partitions = relationLinksPartitions(tenant, id)
  for (const pk of partitions) {
    for await (const page of readPages(store, tenant, { pk, index: slotName(linkSlot), limit: batch })) {
      await removeLinks(
        store,
        tenant,
        page.items.map((row) => ({ relationId: id, ...parseLinkKey(keyOfItem(row)) })),
        clock.uuid,
      )
      const isEnd = !page.last && pk === partitions.at(-1)
      if (!isEnd && page.items.length > 0 && timeIsUp()) {
        await requeue(removal.round + 1, clock.now() + lateLinkMs)
        return 'unfinished'
      }
    }
  }
  const lateLinksEndAt = Date.parse(removal.deletedAt) + lateLinkMs
  if (clock.now() < lateLinksEndAt) {
    await requeue(removal.round, lateLinksEndAt)
    return 'unfinished'
  }
  await store.write(tenant, { remove: key })
  return 'finished'
}

/** A deleted relation whose links still have to be removed. */
interface RelationRemoval {
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
const readRelationRemoval = (item: Item): RelationRemoval => ({
  userId: Number(item.deleted_by),
  deletedAt: String(item.deleted_at),
  round: Number(item.removal_round),
})
