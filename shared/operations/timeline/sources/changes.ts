import { namesOf } from '../../../accounts/people/user.ts'
import { publicTable } from '../../../kernel/table-names.ts'
import { publicUrl } from '../../../platform/http/routing/envelope.ts'
import { conversationSource } from '../../../platform/store/rows/derived-version.ts'
import type { LatestVersion } from '../../../platform/store/rows/tombstone-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { readTrailRow } from '../../../platform/trail/trail-event.ts'
import { describeChanges, describeRows, usersIn } from '../../../records/history/describe-changes.ts'
import { readHistoryRows } from '../../../records/history/read-history-rows.ts'
import { historyCursors, type HistoryDependencies } from '../../../records/history/read-history.ts'
import type { TimelineSource, TimelineSubject } from '../timeline-source.ts'

/** The versions of a record. `pending` collects those whose history is not written yet. */
export function changesOf(
  history: HistoryDependencies,
  { viewer, model, id, table, readable }: TimelineSubject,
  { version: latest, changedAt }: LatestVersion,
  pending: number[],
): TimelineSource<Item> {
  const { tenant } = viewer
  return {
    name: 'change',
    kind: 'change',
    position: /^[1-9]\d{0,9}$/,
    async read(start, limit) {
      // A version that does not exist yet would be waited for.
      const to = Math.min(latest, Number(start ?? latest))
      const from = Math.max(1, to - limit + 1)
      const found = await readHistoryRows(history, tenant, { model, id, from, to, changedAt })
      pending.push(...found.pending)
      const heads = found.rows.flatMap((row) => {
        const { at, version, source } = readTrailRow(row)
        // The message itself is an entry.
        return source === conversationSource ? [] : [{ at, position: String(version), row }]
      })
      return { heads, ...(from > 1 && { next: String(from - 1) }) }
    },
    async describe(rows) {
      const entries = await describeRows(history, tenant, rows, { tableOf: () => table, readable })
      const users = entries.flatMap(({ changes }) => usersIn(table, changes))
      const names = users.length > 0 ? await namesOf(history.store, tenant, users) : new Map<number, string>()
      return entries.map((entry) => ({
        at: entry.created_at,
        id: String(entry.id),
        user: entry.user,
        summary: describeChanges(table, entry, names),
        data: entry,
        href: `${publicUrl()}/api/sys/history/${publicTable(tenant, model)}/${id}?per_page=1&cursor=${historyCursors.write({ version: entry.id })}`,
      }))
    },
  }
}
