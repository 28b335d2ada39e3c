import type { TenantRef } from '../../kernel/tenancy.ts'
import { parseTrailSort, trailPartitions } from '../store/keys/history.ts'
import { keyOfItem } from '../store/keys/key.ts'
import { readPages } from '../store/ranges/read-all.ts'
import { slotName, slotSort, trailSlots } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import { readJson } from '../store/values/json-attribute.ts'
import { has } from '../store/writes/conditions.ts'
import { wasApplied } from '../store/writes/refusals.ts'
import type { FieldChange } from './trail-event.ts'

const mask = '********'

/** Masks the values of fields, and the name, in all events about one object. Idempotent. */
export async function maskEvents(
  store: Pick<Store, 'query' | 'getMany' | 'write'>,
  tenant: TenantRef,
  { model, id }: { readonly model: string; readonly id: number },
  fields: ReadonlySet<string>,
): Promise<void> {
  for (const pk of trailPartitions(tenant, { model })) {
    for await (const { items: keys } of readPages(store, tenant, { pk, index: slotName(trailSlots.byModel) })) {
      const about = keys.filter((key) => parseTrailSort(slotSort(key, trailSlots.byModel)).recordId === id)
      for (const event of await store.getMany(tenant, about.map(keyOfItem))) {
        if (event?.kind !== 'event') continue
        const changes = Object.entries(readJson<Record<string, FieldChange>>(event, 'changes'))
        const masked = changes.map(
          ([name, change]) => [name, fields.has(name) ? maskedChange(change) : change] as const,
        )
        const text = JSON.stringify(Object.fromEntries(masked))
        if (text === event.changes && event.name === undefined) continue
        await wasApplied(
          store.write(tenant, {
            update: keyOfItem(event),
            change: {
              expression: 'SET changes = :changes REMOVE #name',
              names: { '#name': 'name' },
              values: { ':changes': text },
            },
            if: has('changes'),
          }),
        )
      }
    }
  }
}

const maskedChange = ({ old, new: now }: FieldChange): FieldChange => ({
  old: old === null ? null : mask,
  new: now === null ? null : mask,
})
