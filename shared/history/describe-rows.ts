import { namesOf } from '../auth/service.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import type { Item } from '../store/marshal.ts'
import type { Store } from '../store/table.ts'
import { readChanges } from './history-row.ts'
import type { HistoryEntryAnswer } from './schema.ts'

/** Rows hold user ids only, so that a person can be erased: names are looked up as they are now. */
export async function describeRows(
  { store, fetchObject }: { store: Pick<Store, 'getMany'>; fetchObject: (key: string) => Promise<Uint8Array> },
  tenant: TenantRef,
  rows: readonly Item[],
): Promise<HistoryEntryAnswer[]> {
  const ids = rows.flatMap((row) => [row.user_id, row.impersonator_id]).filter((one) => one !== undefined)
  const names = await namesOf(store, tenant, ids.map(Number))
  const person = (userId: number) => ({ id: userId, name: names.get(userId) ?? 'Unknown user' })
  return Promise.all(
    rows.map(async (row) => ({
      id: Number(row.version),
      action: row.action as HistoryEntryAnswer['action'],
      user: person(Number(row.user_id)),
      changes: await readChanges(row, fetchObject),
      created_at: String(row.at),
      ...(row.impersonator_id !== undefined && { impersonator: person(Number(row.impersonator_id)) }),
      ...(row.source !== undefined && { source: String(row.source) }),
    })),
  )
}
