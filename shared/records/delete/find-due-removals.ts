import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { ChangeEvent } from '../../queue/change-feed/change-event.ts'
import { parseRecordKey, removalDuePartition, removalDueShards, type Key } from '../../store/keys/records.ts'
import { removalDueSlot, slotName } from '../../store/slots.ts'
import { deploymentWide, type Store } from '../../store/table.ts'

/**
 * Deletes of any tenant that should have finished by now, oldest first: their request was cut off, or their wake-up got
 * lost. At most `limit` a shard; what is left stays due.
 */
export async function findDueRemovals(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now'> },
  limit: number,
): Promise<ChangeEvent[]> {
  const now = isoTime(clock.now())
  const shards = await Promise.all(
    Array.from({ length: removalDueShards }, (_, shard) =>
      store.query(deploymentWide, { pk: removalDuePartition(shard), index: slotName(removalDueSlot), to: now, limit }),
    ),
  )
  return shards
    .flatMap(({ items }) => items)
    .flatMap((item) => {
      const record = parseRecordKey(item as unknown as Key)
      if (!record) return []
      return [
        {
          v: 1,
          tenant_id: record.tenant.id,
          model: record.model,
          id: record.id,
          version: 0,
          action: 'delete',
          actor: 0,
          source: 'sweeper',
        } as const,
      ]
    })
}
