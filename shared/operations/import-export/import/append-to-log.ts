import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Keeper } from '../../../lists/columns/keeper/keeper.ts'
import { rowOfStored } from '../../../lists/columns/row-of-record.ts'
import { historyKey } from '../../../platform/store/keys/history.ts'
import type { Store } from '../../../platform/store/store.ts'
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

/** How many stored rows may lack their history: as many as `audit` writes in well under two seconds. */
const maxPendingRows = 600
const pauseMs = 10
/** A change feed that is stuck slows an import down; it does not stop it. */
const maxWaitMs = 1000

/**
 * Applies the back-pressure of the change feed to an import: other changes in the feed wait behind the import's rows. A
 * row with a history entry has passed the feed, so no counter is needed.
 */
export function feedBackPressure(
  store: Pick<Store, 'get'>,
  clock: Pick<Clock, 'now' | 'sleep'>,
  tenant: TenantRef,
  model: string,
) {
  /** The last record of each transaction without history so far, and how many rows the transaction stored. */
  const pending: { readonly id: number; readonly rows: number }[] = []
  let pendingRows = 0

  const hasHistory = async (id: number): Promise<boolean> =>
    (await store.get(tenant, historyKey(tenant, model, id, 1))) !== undefined

  return {
    /** Notes a transaction: the id of its last record, and its number of rows. */
    stored(id: number, rows: number): void {
      pending.push({ id, rows })
      pendingRows += rows
    },
    /** Waits until at most `maxPendingRows` lack their history, but no longer than `maxWaitMs`. */
    async wait(): Promise<void> {
      const end = clock.now() + maxWaitMs
      while (pendingRows > maxPendingRows) {
        const oldest = pending[0] as (typeof pending)[number]
        if (await hasHistory(oldest.id)) {
          pending.shift()
          pendingRows -= oldest.rows
        } else if (clock.now() < end) await clock.sleep(pauseMs)
        else return
      }
    },
  }
}
