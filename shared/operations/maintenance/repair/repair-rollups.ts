import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Send } from '../../../platform/queue/send.ts'
import { historyPartition } from '../../../platform/store/keys/history.ts'
import { versionText } from '../../../platform/store/keys/key.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { readRecordData, readRecordWrite } from '../../../platform/store/rows/record-row.ts'
import { withNames } from '../../../platform/store/rows/stored-names.ts'
import { touchedRollups } from '../../../platform/store/rows/touched-rollups.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { readTrailRow } from '../../../platform/trail/trail-event.ts'
import { readChanges } from '../../../records/history/history-row.ts'
import type { TouchedRollups } from '../../../records/rollups/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Span } from './changed-records.ts'

export interface RollupRepairDependencies {
  readonly store: Pick<Store, 'query'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
  readonly send: Send
  /** The queue of writes that rollups count. */
  readonly queueUrl: string
}

const pageRows = 100
const parallelRecords = 16

/**
 * Queues all rollups again that records of a table touched since the last repair: what they refer to now, and what they
 * referred to, which their history says. One that is right is evaluated and left as it is.
 */
export async function repairRollups(
  services: RollupRepairDependencies,
  tenant: TenantRef,
  table: Table | undefined,
  records: readonly Item[],
  { since }: Span,
): Promise<void> {
  if (!table?.rolled_up_by || records.length === 0) return
  const touched = new Set<string>()
  for (let start = 0; start < records.length; start += parallelRecords) {
    const found = await Promise.all(
      records.slice(start, start + parallelRecords).map((item) => touchedSince(services, tenant, table, item, since)),
    )
    for (const name of found.flat()) touched.add(name)
  }
  if (touched.size === 0) return
  const { id } = readRecordWrite(records[0] as Item)
  const names = [...touched]
  const messages: TouchedRollups[] = []
  for (let start = 0; start < names.length; start += pageRows)
    messages.push({
      v: 1,
      tenant_id: tenant.id,
      model: table.name,
      id,
      touched: names.slice(start, start + pageRows).join(' '),
    })
  const refused = await services.send(services.queueUrl, messages)
  if (refused.length > 0) throw new Error(`the queue refused rollups: ${refused[0]?.reason}`)
}

async function touchedSince(
  { store, fetchObject }: RollupRepairDependencies,
  tenant: TenantRef,
  table: Table,
  item: Item,
  since: string,
): Promise<string[]> {
  const { model, id, version: latest } = readRecordWrite(item)
  const states: Record<string, unknown>[] = [{ ...readRecordData(item, table) }]
  const range = {
    pk: historyPartition(tenant, model, id),
    from: versionText(1),
    to: versionText(latest),
    reverse: true,
    limit: pageRows,
  }
  pages: for await (const page of readPages(store, tenant, range)) {
    for (const row of page.items) {
      if (readTrailRow(row).at < since) break pages
      const changes = Object.entries(withNames(table, await readChanges(row, fetchObject)))
      states.push(
        Object.fromEntries(changes.map(([name, change]) => [name, change.old])),
        Object.fromEntries(changes.map(([name, change]) => [name, change.new])),
      )
    }
  }
  return touchedRollups(table, ...states).touched?.split(' ') ?? []
}
