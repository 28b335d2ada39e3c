import type { Tenant } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { configKey } from '../../platform/store/keys/configuration.ts'
import { idText, keyOfItem } from '../../platform/store/keys/key.ts'
import { parseLinkKey, relationLinksPartitions, relationRemovalKey } from '../../platform/store/keys/relations.ts'
import { readPages } from '../../platform/store/ranges/read-all.ts'
import { linkSlot, slotName } from '../../platform/store/slots.ts'
import { exists } from '../../platform/store/writes/conditions.ts'
import type { RelationDependencies } from './dependencies.ts'
import { removeLinks } from './links/remove-links.ts'
import { readRelationRemoval, relationRemovalItem } from './relation-removal-row.ts'

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
