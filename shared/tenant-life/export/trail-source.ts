import { readChanges } from '../../history/service.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { trailPartitions } from '../../store/keys/history.ts'
import { keyOfItem } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import { slotName, trailSlots } from '../../store/slots.ts'
import type { Store } from '../../store/store.ts'
import { readTrailRow } from '../../trail/service.ts'
import { rangeSource } from './range-source.ts'
import type { Source } from './source.ts'

interface Dependencies {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/** The history of all records, deleted ones too, and the events of accounts and configuration. */
export function trailSource({ store, fetchObject }: Dependencies, tenant: TenantRef): Source {
  const ranges = trailPartitions(tenant, 'whole').map((pk) => ({ pk, index: slotName(trailSlots.byTime) }))
  return rangeSource(store, tenant, 'trail', ranges, async (keys) => {
    const items = (await store.getMany(tenant, keys.map(keyOfItem))).filter((item) => item !== undefined)
    const entries = await Promise.all(
      items.map(async (item) => ({ file: fileOf(item), row: await entryOf(item, fetchObject) })),
    )
    return [...Map.groupBy(entries, ({ file }) => file)].map(([file, some]) => ({
      file,
      rows: some.map(({ row }) => row),
    }))
  })
}

const fileOf = (item: Item): string => (item.kind === 'event' ? 'trail' : `history/${String(item.model)}`)

async function entryOf(item: Item, fetchObject: Dependencies['fetchObject']): Promise<object> {
  const { action, model, recordId, version, userId, impersonatorId, source, at, name } = readTrailRow(item)
  return {
    at,
    action,
    model,
    record_id: recordId,
    version,
    user_id: userId,
    impersonator_id: impersonatorId,
    source,
    name,
    changes: await readChanges(item, fetchObject),
  }
}
