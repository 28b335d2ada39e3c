import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { ChangeEvent } from '../../queue/change-feed/change-event.ts'
import { afterDuePartition, afterDueShards, parseDueSort } from '../../store/keys/records.ts'
import { removalDueSlot, slotName } from '../../store/slots.ts'
import { deploymentWide, type Store } from '../../store/table.ts'

/** Records of any tenant whose after hooks should have run by now, oldest first, at most `limit` a shard; what is left stays due. */
export async function findDueHooks(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now'> },
  limit: number,
): Promise<ChangeEvent[]> {
  const to = isoTime(clock.now())
  const shards = await Promise.all(
    Array.from({ length: afterDueShards }, (_, shard) =>
      store.query(deploymentWide, { pk: afterDuePartition(shard), index: slotName(removalDueSlot), to, limit }),
    ),
  )
  return shards
    .flatMap(({ items }) => items)
    .flatMap((item) => {
      const record = parseDueSort(String(item.s20))
      if (!record) return []
      return [
        {
          v: 1,
          tenant_id: record.tenant.id,
          model: record.model,
          id: record.id,
          version: 0,
          action: 'update',
          actor: 0,
          source: 'sweeper',
        } as const,
      ]
    })
}
