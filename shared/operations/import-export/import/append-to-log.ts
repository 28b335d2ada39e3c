import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Keeper } from '../../../lists/columns/keeper/keeper.ts'
import { rowOfStored } from '../../../lists/columns/row-of-record.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import type { Table } from '../../../tables/tables/table.ts'

/** Where an import appends what it stored: lists read it there, and do not look up each record. */
export type ColumnLog = Pick<Keeper, 'append'>

/**
 * Appends the rows of an import to the column log while the next ones are checked. One append waits for the one before,
 * so that a slow log slows the import down. An append may fail: lists know of the records by the index of changes, and the
 * next fold takes them in.
 */
export function appendToLog(
  log: ColumnLog,
  tenant: Tenant,
  table: Pick<Table, 'name' | 'opaqueFields' | 'storedNames'>,
) {
  let appended: Promise<void> = Promise.resolve()
  return {
    async add(stored: readonly { readonly record: StoredRecord }[]): Promise<void> {
      await appended
      const rows = stored.map(({ record }) => rowOfStored(record, table))
      appended = mayFail('append imported records to the column log', () => log.append(tenant, table.name, rows))
    },
    ended: (): Promise<void> => appended,
  }
}
