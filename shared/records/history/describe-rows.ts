import { namesOf } from '../../accounts/people/user.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type NamedFields, withNames } from '../../platform/store/rows/stored-names.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { readTrailRow, type TrailRow } from '../../platform/trail/trail-event.ts'
import { readChanges } from './history-row.ts'
import type { HistoryEntryAnswer } from './schema.ts'

/**
 * Turns rows into answers. Rows hold user ids only, so that a person can be erased; the names are read now, and those of
 * fields that were renamed since. `readable`: the fields whose changes are answered; undefined: all.
 */
export async function describeRows(
  { store, fetchObject }: { store: Pick<Store, 'getMany'>; fetchObject: (key: string) => Promise<Uint8Array> },
  tenant: TenantRef,
  items: readonly Item[],
  {
    tableOf,
    readable,
  }: { readonly tableOf: (row: TrailRow) => NamedFields; readonly readable?: ReadonlySet<string> | undefined },
): Promise<HistoryEntryAnswer[]> {
  const rows = items.map((item) => ({ item, row: readTrailRow(item) }))
  const ids = rows.flatMap(({ row }) => [row.userId, row.impersonatorId]).filter((id) => id !== undefined)
  const names = await namesOf(store, tenant, ids)
  const person = (userId: number) => ({
    id: userId,
    // The service itself, such as for a value that it derived.
    name: userId === 0 ? 'System' : (names.get(userId) ?? 'Unknown user'),
  })
  return Promise.all(
    rows.map(async ({ item, row }) => ({
      id: row.version,
      action: row.action as HistoryEntryAnswer['action'],
      user: person(row.userId),
      changes: changesOf(withNames(tableOf(row), await readChanges(item, fetchObject)), readable),
      created_at: row.at,
      ...(row.impersonatorId !== undefined && { impersonator: person(row.impersonatorId) }),
      ...(row.source !== undefined && { source: row.source }),
      ...(row.batchId !== undefined && { batch_id: row.batchId }),
      ...(row.merge && { merge: row.merge }),
    })),
  )
}

const changesOf = (changes: HistoryEntryAnswer['changes'], readable: ReadonlySet<string> | undefined) =>
  readable ? Object.fromEntries(Object.entries(changes).filter(([name]) => readable.has(name))) : changes
