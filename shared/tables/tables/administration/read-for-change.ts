import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { hasRecords } from '../../../platform/store/ranges/record-range.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import { allSystemTables } from '../system-tables.ts'
import { readTable, type Table } from '../table.ts'

type Fresh = Pick<Config, 'listFresh'>

/** The names of the roles, past the cache. */
export const roleNames = async (config: Fresh, tenant: TenantRef): Promise<readonly string[]> =>
  (await config.listFresh(tenant, 'ROLE')).map(({ name }) => name)

/** Every table, built-in ones included, past the cache. */
export async function freshTables(config: Fresh, tenant: TenantRef): Promise<readonly Table[]> {
  const rows = [...allSystemTables(), ...(await config.listFresh(tenant, 'TABLE'))]
  return [...new Map(rows.map((row) => [row.name, row])).values()].map(readTable)
}

/** Whether a table has neither living records nor rows of unfinished deletes, and whether it never had any. */
export async function recordsOf(
  store: Store,
  tenant: TenantRef,
  name: string,
): Promise<{ readonly isEmpty: boolean; readonly isFresh: boolean }> {
  const { live, last } = await readSequence(store, tenant, name)
  return { isEmpty: live === 0 && !(await hasRecords(store, tenant, name, last)), isFresh: last === 0 }
}
