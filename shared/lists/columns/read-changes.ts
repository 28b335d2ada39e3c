import type { TenantRef } from '../../kernel/tenancy.ts'
import { changePartitions, parseChangeSort } from '../../platform/store/keys/columns.ts'
import { readPages } from '../../platform/store/ranges/read-all.ts'
import { changeSlot, slotAttributes, slotName, slotSort } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import { stampOf } from './log-entry.ts'

/** What the change slot tells. */
export interface Changes {
  /** Id to the newest stamp told of it. */
  readonly stamps: ReadonlyMap<number, number>
  /** The newest time of a change (ISO); the empty text when there is none. */
  readonly newest: string
}

const index = slotName(changeSlot)
const { sort } = slotAttributes(index)

/** The changes of a table since a moment (ISO; the empty text for all), as far as the index has them. */
export async function readChanges(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  since: string,
): Promise<Changes> {
  const stamps = new Map<number, number>()
  let newest = ''
  await Promise.all(
    changePartitions(tenant, model).map(async (pk) => {
      const range = { pk, index, attributes: [sort], ...(since !== '' && { from: since }) }
      for await (const { items } of readPages(store, tenant, range)) {
        for (const item of items) {
          const change = parseChangeSort(slotSort(item, changeSlot))
          const stamp = stampOf(change)
          if (stamp > (stamps.get(change.id) ?? 0)) stamps.set(change.id, stamp)
          if (change.at > newest) newest = change.at
        }
      }
    }),
  )
  return { stamps, newest }
}
