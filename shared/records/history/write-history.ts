import type { ItemChange, StreamFailure } from '../../platform/queue/change-feed/on-stream.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { historyEntry } from './history-entry.ts'
import { historyRow, type HistoryRow } from './history-row.ts'

/**
 * Writes the history rows of a batch of changes, of any tenants. Idempotent: a batch that is delivered again writes the
 * same bytes. A stream record that cannot be read fails alone; a failed write fails the whole batch.
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
  // Objects first: a row must never name an object that does not exist.
  await Promise.all(rows.map(({ object }) => object && putObject(object.key, object.body)))
  await store.putMany(
    deploymentWide,
    rows.map(({ item }) => item),
  )
  return failures
}
