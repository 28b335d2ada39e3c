import { maxMergedRecords } from '../../../kernel/limits/records.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { recordKey } from '../keys/records.ts'
import { isLiving, readMergedFrom, readMergedInto } from '../rows/record-row.ts'
import type { Store } from '../store.ts'
import type { Item } from '../values/marshal.ts'

interface Ref {
  readonly model: string
  readonly id: number
}

/**
 * The rows of the records that were merged into one, and into those, nearest first. Their comments, messages and watchers
 * are read with its own. Reads nothing for a record that nothing was merged into.
 */
export async function readMergedRecords(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  model: string,
  item: Item | null | undefined,
): Promise<Item[]> {
  const found: Item[] = []
  let ids = item ? readMergedFrom(item) : []
  for (let step = 0; ids.length > 0 && step <= maxMergedRecords; step += 1) {
    const rows = await store.getMany(
      tenant,
      ids.map((id) => recordKey(tenant, model, id)),
    )
    const merged = rows.filter((row) => row !== undefined)
    found.push(...merged)
    ids = merged.flatMap(readMergedFrom)
  }
  return found
}

/** The row of a record, or of the one that it was merged into in the end; undefined when that does not live. */
export async function readSurvivor(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  { model, id }: Ref,
): Promise<{ readonly ref: Ref; readonly item: Item } | undefined> {
  // Records may be merged into one that is merged later, and nothing merges in a circle: what is merged is not written.
  let next = id
  for (let step = 0; step <= maxMergedRecords; step += 1) {
    const [item] = await store.getMany(tenant, [recordKey(tenant, model, next)])
    if (isLiving(item)) return { ref: { model, id: next }, item }
    const into = readMergedInto(item)
    if (into === undefined) return undefined
    next = into
  }
  return undefined
}
