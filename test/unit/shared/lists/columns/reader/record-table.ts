import { isoTime, type Clock } from '../../../../../../shared/kernel/time/clock.ts'
import { chunkOf, positionOf } from '../../../../../../shared/lists/columns/chunk.ts'
/** The rows of one table's records as writers leave them, and what is true of them. */
import { columnValues } from '../../../../../../shared/lists/columns/column-values.ts'
import type { LogRow } from '../../../../../../shared/lists/columns/log-entry.ts'
import type { ColumnView } from '../../../../../../shared/lists/columns/reader/view.ts'
import { goneRow } from '../../../../../../shared/lists/columns/row-of-record.ts'
import { valueIn } from '../../../../../../shared/lists/columns/row-values.ts'
import type { Value } from '../../../../../../shared/lists/columns/scalar.ts'
import type { Key } from '../../../../../../shared/platform/store/keys/key.ts'
import { recordKey, tombstoneKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { changeEntry } from '../../../../../../shared/platform/store/slots.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'

export const tenant = { id: 7 }
export const model = 'requests'
export type Data = Readonly<Record<string, unknown>>

/** A change as the keeper learns of it: the record's state then, and when it was. */
export interface WrittenChange {
  readonly row: LogRow
  readonly at: string
}

export function recordTable(store: Store, clock: Pick<Clock, 'now'>, { of = tenant } = {}) {
  /** The latest state of each record. */
  const truth = new Map<number, LogRow>()
  /** All its states from the first on, as soon as they may be visible. */
  const history = new Map<number, LogRow[]>()
  const items = new Map<number, Item & Key>()

  async function write(records: ReadonlyMap<number, Data | undefined>): Promise<WrittenChange[]> {
    const at = isoTime(clock.now())
    const puts: (Item & Key)[] = []
    const removals: Key[] = []
    const changes: WrittenChange[] = []
    for (const [id, data] of records) {
      const version = (truth.get(id)?.version ?? 0) + 1
      const row: LogRow = data
        ? { id, version, isGone: false, values: columnValues(headAt(at), data) }
        : goneRow(id, version)
      const change = changeEntry(of, model, { at, id, version, isGone: !data })
      if (data) {
        const item = { ...recordKey(of, model, id), ...headAt(at), version, data: JSON.stringify(data), ...change }
        puts.push(item)
        items.set(id, item)
        if (truth.get(id)?.isGone) removals.push(tombstoneKey(of, model, id))
      } else {
        puts.push({ ...tombstoneKey(of, model, id), version, deleted_at: at, ...change })
        removals.push(recordKey(of, model, id))
        items.delete(id)
      }
      truth.set(id, row)
      history.set(id, [...(history.get(id) ?? []), row])
      changes.push({ row, at })
    }
    await store.writeMany(of, puts, removals)
    return changes
  }

  return { write, truth, history, items }
}

const headAt = (at: string) => ({ tenant_id: tenant.id, created_by: 5, updated_by: 6, created_at: at, updated_at: at })

/** What a view says that is not true: empty when all is right. */
export async function faultsOf(
  view: ColumnView,
  truth: ReadonlyMap<number, LogRow>,
  columns: readonly string[],
): Promise<string[]> {
  const faults: string[] = []
  const ids = [...truth.keys()].sort((a, b) => a - b)
  const living = ids.filter((id) => !truth.get(id)?.isGone)
  if (view.live !== living.length) faults.push(`live ${view.live} for ${living.length}`)
  if (view.last !== (ids.at(-1) ?? 0)) faults.push(`last ${view.last} for ${ids.at(-1)}`)
  for (let chunk = 0; chunk < view.chunks; chunk += 1) {
    await view.ready(chunk)
    const inChunk = living.filter((id) => chunkOf(id) === chunk)
    if (view.liveIn(chunk) !== inChunk.length) faults.push(`live in ${chunk}: ${view.liveIn(chunk)}`)
    const alive = view.alive(chunk) ?? new Uint8Array(0)
    const positions = [...alive.keys()].filter((position) => alive[position] === 1)
    if (String(positions) !== String(inChunk.map(positionOf))) faults.push(`alive in ${chunk}: ${positions}`)
    for (const id of ids.filter((one) => chunkOf(one) === chunk)) {
      const row = truth.get(id) as LogRow
      for (const column of columns) {
        const value: Value = view.vector(column, chunk)?.get(positionOf(id)) ?? null
        const wanted = valueIn(row, column)
        if (JSON.stringify(value) !== JSON.stringify(wanted)) faults.push(`${column} of ${id}: ${value} for ${wanted}`)
      }
    }
  }
  return faults
}
