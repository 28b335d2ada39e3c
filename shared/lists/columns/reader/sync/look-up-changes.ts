import { createTurns } from '../../../../kernel/runtime/give-way.ts'
import { recordKey } from '../../../../platform/store/keys/records.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { goneRow, readableRow } from '../../row-of-record.ts'
import { type ColumnTable, stateOfTable } from '../column-table.ts'
import { applyRow, stampOfId, type TableState } from '../table-state.ts'

/** How many records are read at once. */
const recordsAtOnce = 1_000

/** The changes (id to stamp) that the columns do not know. */
export function unknownChanges(state: TableState, changes: ReadonlyMap<number, number>): Map<number, number> {
  const unknown = new Map<number, number>()
  for (const [id, stamp] of changes) if (stamp > stampOfId(state, id)) unknown.set(id, stamp)
  return unknown
}

/** Applies changes (id to stamp) that nothing else has told yet. Records that live are read for their values. */
export async function lookUpChanges(
  store: Pick<Store, 'getMany'>,
  table: ColumnTable,
  changes: ReadonlyMap<number, number>,
): Promise<void> {
  const { tenant, model } = table
  const state = stateOfTable(table)
  const unknown: number[] = []
  for (const [id, stamp] of changes) {
    if (stamp <= stampOfId(state, id)) continue
    if (stamp % 2 === 1) applyRow(state, goneRow(id, versionOf(stamp)), Infinity)
    else unknown.push(id)
  }
  const nextTurn = createTurns()
  for (let start = 0; start < unknown.length; start += recordsAtOnce) {
    const ids = unknown.slice(start, start + recordsAtOnce)
    const items = await store.getMany(
      tenant,
      ids.map((id) => recordKey(tenant, model, id)),
    )
    for (const [index, item] of items.entries()) {
      const id = ids[index] as number
      // A record that was there and is not any more was deleted since: its tombstone tells the version later.
      applyRow(state, item ? readableRow(item) : goneRow(id, versionOf(changes.get(id) as number)), Infinity)
      const turn = nextTurn()
      if (turn) await turn
    }
  }
}

const versionOf = (stamp: number): number => Math.floor(stamp / 2)
