import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { historyPartition } from '../../platform/store/keys/history.ts'
import { versionText } from '../../platform/store/keys/key.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { readTrailRow } from '../../platform/trail/trail-event.ts'

const maxWaitMs = 8000
const firstPauseMs = 20
const maxPauseMs = 500
/** The stream no longer delivers an entry that is older and missing: the nightly repair writes it. */
const recentMs = 120_000

/** Versions `from` to `to` of a record, inclusive. */
export interface VersionRange {
  readonly model: string
  readonly id: number
  readonly from: number
  readonly to: number
  /** When the record last changed. The rows of old changes are not waited for. */
  readonly changedAt: string
  /** When waiting began, for a range that is read in parts. Default: now. */
  readonly startedAt?: number
}

/**
 * Reads the history rows of a range, newest first. The stream writes them after the answer to the write. Every version
 * has exactly one row (docs/decisions/0002), so the missing ones are known and waited for, up to 8 seconds. `pending`:
 * the versions still missing.
 */
export async function readHistoryRows(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Clock },
  tenant: TenantRef,
  { model, id, from, to, changedAt, startedAt }: VersionRange,
): Promise<{ rows: readonly Item[]; pending: readonly number[] }> {
  if (to < from) return { rows: [], pending: [] }
  const rows = new Map<number, Item>()
  const started = startedAt ?? clock.now()
  const isRecent = started - Date.parse(changedAt) < recentMs
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    const range = {
      pk: historyPartition(tenant, model, id),
      from: versionText(from),
      to: versionText(to),
      reverse: true,
    }
    for (const item of await readAll(store, tenant, range)) rows.set(readTrailRow(item).version, item)
    const complete = rows.size === to - from + 1
    if (complete || !isRecent || clock.now() - started + pause > maxWaitMs) break
    await clock.sleep(pause)
  }
  const versions = Array.from({ length: to - from + 1 }, (_, index) => to - index)
  return {
    rows: versions.map((version) => rows.get(version)).filter((row) => row !== undefined),
    pending: versions.filter((version) => !rows.has(version)),
  }
}
