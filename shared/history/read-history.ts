import { namesOf } from '../auth/user.ts'
import type { Clock } from '../clock.ts'
import { Invalid, NotFound } from '../faults.ts'
import type { Page } from '../http/envelope.ts'
import type { PageQuery } from '../http/paging.ts'
import { historyPartition, recordKey, tombstoneKey, versionText, type Key } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import type { Store } from '../store/table.ts'
import type { Tables } from '../tables/service.ts'
import type { Tenant, TenantRef } from '../tenancy.ts'
import { readChanges } from './history-row.ts'
import type { HistoryEntryAnswer } from './schema.ts'

const longestWaitMs = 8000
const firstPauseMs = 20
/** An entry that did not come for so long is not on its way any more: the nightly check repairs it. */
const recentMs = 120_000

export interface HistoryDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  /** Reads an object of the files bucket. */
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/** What tells how many versions a record has: itself, or the tombstone it left. */
export const historyReads = (tenant: TenantRef, model: string, id: number): readonly [Key, Key] => [
  recordKey(tenant, model, id),
  tombstoneKey(tenant, model, id),
]

/**
 * A page of a record's history, newest first. The stream writes the rows after the write was answered; because every
 * version has exactly one row, the page knows which are still missing and waits for them, up to eight seconds.
 */
export async function readHistory(
  deps: HistoryDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  query: PageQuery,
  reads: readonly (Item | null | undefined)[],
): Promise<Page<HistoryEntryAnswer>> {
  await deps.tables.need(tenant, model)
  const [record, tombstone] = reads
  const newest = record ?? tombstone
  if (!newest) throw new NotFound('record', { model, id })
  const latest = Number(newest.version)
  const offset = query.cursor ? latest - readCursor(query.cursor) : (query.page - 1) * query.per_page
  const to = latest - offset
  const from = Math.max(1, to - query.per_page + 1)
  const changedAt = String(newest.deleted_at ?? newest.updated_at)
  const { rows, pending } = to < 1 ? { rows: [], pending: [] } : await settledRows(deps, tenant, model, id, from, to, changedAt)
  return {
    items: await describeRows(deps, tenant, rows),
    total: latest,
    perPage: query.per_page,
    page: Math.floor(offset / query.per_page) + 1,
    offset,
    nextCursor: from > 1 && to >= 1 ? String(from - 1) : null,
    meta: pending.length > 0 ? { pending } : undefined,
  }
}

function readCursor(cursor: string): number {
  if (!/^[1-9]\d{0,9}$/.test(cursor)) throw new Invalid({ cursor: ['The cursor is not one of this history. Use meta.next_cursor of the page before.'] })
  return Number(cursor)
}

/** Rows of versions `from` to `to`, newest first, and the versions that did not come in time. */
async function settledRows({ store, clock }: HistoryDependencies, tenant: Tenant, model: string, id: number, from: number, to: number, changedAt: string) {
  const rows = new Map<number, Item>()
  const started = clock.now()
  const isRecent = started - Date.parse(changedAt) < recentMs
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, 500)) {
    let after: Readonly<Record<string, string>> | undefined
    do {
      const page = await store.query(tenant, { pk: historyPartition(tenant, model, id), from: versionText(from), to: versionText(to), reverse: true, after })
      for (const item of page.items) rows.set(Number(item.version), item)
      after = page.last
    } while (after)
    const complete = rows.size === to - from + 1
    if (complete || !isRecent || clock.now() - started + pause > longestWaitMs) break
    await clock.sleep(pause)
  }
  const versions = Array.from({ length: to - from + 1 }, (_, index) => to - index)
  return {
    rows: versions.map((version) => rows.get(version)).filter((row) => row !== undefined),
    pending: versions.filter((version) => !rows.has(version)),
  }
}

/** Rows hold user ids only, so that a person can be erased: names are looked up as they are now. */
async function describeRows({ store, fetchObject }: HistoryDependencies, tenant: Tenant, rows: readonly Item[]): Promise<HistoryEntryAnswer[]> {
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
