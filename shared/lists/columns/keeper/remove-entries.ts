import { columnLogPartition, columnLogSort } from '../../../platform/store/keys/columns.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { logHeadAttributes, readLogHead } from '../log-entry.ts'
import type { KeptTable } from './keeper-limits.ts'
import { removeInTurn } from './remove-in-turn.ts'

/** Removes the entries of a log up to `seq`. */
export async function removeEntries(kept: KeptTable, seq: number): Promise<void> {
  const { store, tenant, model } = kept
  const items = await readAll(store, tenant, {
    pk: columnLogPartition(tenant, model),
    to: columnLogSort(seq),
    attributes: logHeadAttributes,
  })
  let before = 0
  const entries = items.map((item) => {
    const { size } = readLogHead(item)
    const bytes = size - before
    before = size
    return { key: keyOfItem(item), bytes }
  })
  await removeInTurn(kept, entries)
}
