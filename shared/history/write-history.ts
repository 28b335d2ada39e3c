import type { ItemChange, StreamFailure } from '../queue/change-feed/on-stream.ts'
import { deploymentWide, type Store } from '../store/table.ts'
import { historyEntry } from './history-entry.ts'
import { historyRow, type HistoryRow } from './history-row.ts'

/**
 * Writes the history rows of a batch of changes, of any tenants. A row is a pure function of its stream record, so a batch
 * that is delivered again writes the same bytes. A record that cannot be read fails alone; a write that fails fails the batch.
 */
export async function writeHistory(
  { store, putObject }: { store: Pick<Store, 'putMany'>; putObject: (key: string, body: Uint8Array) => Promise<void> },
  changes: readonly ItemChange[],
): Promise<readonly StreamFailure[]> {
  const rows: HistoryRow[] = []
  const failures: StreamFailure[] = []
  for (const change of changes) {
    if (!change.after) continue
    try {
      const entry = historyEntry(change.before, change.after)
      if (entry) rows.push(historyRow(entry))
    } catch (cause) {
      failures.push({ change, cause })
    }
  }
  // Objects first: a row must never point at one that is not there.
  await Promise.all(rows.map(({ object }) => object && putObject(object.key, object.body)))
  await store.putMany(
    deploymentWide,
    rows.map(({ item }) => item),
  )
  return failures
}
