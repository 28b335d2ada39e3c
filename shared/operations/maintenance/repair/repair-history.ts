import type { TenantRef } from '../../../kernel/tenancy.ts'
import { historyPartition } from '../../../platform/store/keys/history.ts'
import { versionText } from '../../../platform/store/keys/key.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { readRecordWrite } from '../../../platform/store/rows/record-row.ts'
import type { KeyRange, Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { readTrailRow } from '../../../platform/trail/trail-event.ts'
import { historyRow, readChanges } from '../../../records/history/history-row.ts'
import { type KnownEntry, missingEntries } from './missing-history.ts'

export interface HistoryRepairDependencies {
  readonly store: Pick<Store, 'query' | 'write'>
  readonly objects: {
    fetchObject(key: string): Promise<Uint8Array>
    putObject(key: string, body: Uint8Array): Promise<void>
  }
}

const pageRows = 100

/**
 * Writes the missing history entries of a record; answers their versions. Entries before `since` were checked earlier.
 */
export async function repairHistory(
  services: HistoryRepairDependencies,
  tenant: TenantRef,
  item: Item,
  since: string,
): Promise<number[]> {
  const { model, id, version: latest } = readRecordWrite(item)
  const history = { model, id, latest }
  if (await isComplete(services.store, tenant, history, since)) return []
  const known = await readKnown(services, tenant, history)
  const written: number[] = []
  for (const entry of missingEntries(item, known)) {
    const { item: row, object } = historyRow(entry)
    if (object) await services.objects.putObject(object.key, object.body)
    // Refused when the late entry has arrived meanwhile.
    if (await wasApplied(services.store.write(tenant, { put: row, if: isNew }))) written.push(entry.version)
  }
  return written
}

interface HistoryRange {
  readonly model: string
  readonly id: number
  readonly latest: number
}

const rangeOf = (tenant: TenantRef, { model, id, latest }: HistoryRange): KeyRange => ({
  pk: historyPartition(tenant, model, id),
  from: versionText(1),
  to: versionText(latest),
  reverse: true,
})

/** Whether every version has its row, from the newest to the first one or to the first before `since`. */
async function isComplete(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  history: HistoryRange,
  since: string,
): Promise<boolean> {
  let expected = history.latest
  const range = { ...rangeOf(tenant, history), attributes: ['pk', 'sk', 'version', 'at'], limit: pageRows }
  for await (const page of readPages(store, tenant, range)) {
    for (const item of page.items) {
      const { version, at } = readTrailRow(item)
      if (version !== expected) return false
      if (at < since) return true
      expected -= 1
    }
  }
  return expected === 0
}

async function readKnown(
  { store, objects }: HistoryRepairDependencies,
  tenant: TenantRef,
  history: HistoryRange,
): Promise<Map<number, KnownEntry>> {
  const known = new Map<number, KnownEntry>()
  for await (const page of readPages(store, tenant, rangeOf(tenant, history))) {
    for (const item of page.items) {
      const { version, action, at } = readTrailRow(item)
      known.set(version, { action, at, changes: await readChanges(item, objects.fetchObject) })
    }
  }
  return known
}
