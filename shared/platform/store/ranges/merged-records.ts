import { maxMergedRecords } from '../../../kernel/limits/records.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { recordKey } from '../keys/records.ts'
import { isLiving, readMergedFrom, readMergedInto, readRecordHead } from '../rows/record-row.ts'
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
  const item = (await readMergeChain(store, tenant, { model, id }))?.at(-1)
  return item && { ref: { model, id: readRecordHead(item).id }, item }
}

/**
 * The rows from a record to the living one that it was merged into in the end: only its own when it is none of a merge.
 * Undefined when the last does not live. `first`: the row of the record, when it was read.
 */
export async function readMergeChain(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  { model, id }: Ref,
  first?: Item,
): Promise<Item[] | undefined> {
  const read = async (one: number) => (await store.getMany(tenant, [recordKey(tenant, model, one)]))[0]
  const chain: Item[] = []
  // Records may be merged into one that is merged later, and nothing merges in a circle: what is merged is not written.
  for (let item = first ?? (await read(id)); item && chain.length <= maxMergedRecords;) {
    chain.push(item)
    if (isLiving(item)) return chain
    const into = readMergedInto(item)
    item = into === undefined ? undefined : await read(into)
  }
  return undefined
}
