import type { RowAccess } from '../../accounts/access/row-access.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Table } from '../../tables/tables/table.ts'
import { recordAndTombstoneKeys, type StateDependencies, stateItem, statesSince } from '../history/state-at.ts'
import type { RecentChange } from './change-cursor.ts'
import type { Change } from './schema.ts'

export interface TellingDependencies extends Omit<StateDependencies, 'store'> {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly access: Pick<RowAccess, 'isLimited' | 'permitted'>
}

/** An entry of the change slot. */
export interface ChangeEntry extends RecentChange {
  readonly sort: string
  readonly table: Table
}

/** An entry with the change that the reader gets of it. */
export interface ToldChange {
  readonly entry: ChangeEntry
  readonly change: Change
}

type Rows = readonly (Item | undefined)[]

/** Records read at once to see whether rules reach them. */
const recordsAtOnce = 50

/**
 * The changes that a reader gets of some entries. Row rules hide a record whole: one that is deleted, or that they hide now,
 * comes as deleted only to a reader who could see it at or after `position`, and may have kept a copy; for all others it never
 * was.
 */
export async function tellChanges(
  services: TellingDependencies,
  viewer: Viewer,
  entries: readonly ChangeEntry[],
  position: string,
): Promise<readonly ToldChange[]> {
  const limited = entries.filter(({ table }) => services.access.isLimited(viewer, table.name, 'read'))
  const seen = new Map<ChangeEntry, 'now' | 'before' | 'never'>()
  for (let from = 0; from < limited.length; from += recordsAtOnce) {
    const some = limited.slice(from, from + recordsAtOnce)
    const rows = await readRows(services, viewer, some)
    for (const [table, ofTable] of Map.groupBy(some, (one) => one.table)) {
      const records = ofTable.map((entry) => rows.get(entry)?.[0])
      const permitted = await services.access.permitted(viewer, table.name, 'read', records)
      for (const [at, entry] of ofTable.entries()) if (permitted[at]) seen.set(entry, 'now')
    }
    await Promise.all(
      some.map(async (entry) => {
        if (seen.has(entry)) return
        const wasSeen = await couldBeSeen(services, viewer, entry, rows.get(entry) ?? [], position)
        seen.set(entry, wasSeen ? 'before' : 'never')
      }),
    )
  }
  return entries.flatMap((entry) => {
    const { table, id, version, isGone, at } = entry
    const sight = seen.get(entry) ?? 'now'
    if (sight === 'never') return []
    return [{ entry, change: { table: table.name, id, version, deleted: isGone || sight === 'before', at } }]
  })
}

/** The record of each entry, and the tombstone that it may have left. */
async function readRows(
  { store }: TellingDependencies,
  { tenant }: Viewer,
  entries: readonly ChangeEntry[],
): Promise<ReadonlyMap<ChangeEntry, Rows>> {
  const items = await store.getMany(
    tenant,
    entries.flatMap(({ table, id }) => recordAndTombstoneKeys(tenant, table.name, id)),
  )
  return new Map(entries.map((entry, index) => [entry, items.slice(2 * index, 2 * index + 2)]))
}

/** Whether row rules left a record to the viewer in one of the states that it has had since `position`. */
async function couldBeSeen(
  services: TellingDependencies,
  viewer: Viewer,
  { table, id, version }: ChangeEntry,
  rows: Rows,
  position: string,
): Promise<boolean> {
  // A feed that begins with the first record has no copy yet; and a record that is hidden in its first state had no other.
  if (position === '' || version === 1) return false
  const [since = ''] = position.split('#')
  for await (const state of statesSince(services, viewer.tenant, table, id, since, rows)) {
    const item = stateItem(viewer.tenant, table, id, state)
    const [permitted] = await services.access.permitted(viewer, table.name, 'read', [item])
    if (permitted) return true
  }
  return false
}
