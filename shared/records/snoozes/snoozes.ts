import { lruMap } from '../../kernel/collections/lru-map.ts'
import { Invalid } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import { maxSnoozedRecords } from '../../kernel/limits/lists.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { snoozesKey, snoozesPartition } from '../../platform/store/keys/views.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import { isLiving } from '../../platform/store/rows/record-row.ts'
import type { Store } from '../../platform/store/store.ts'
import { readJson } from '../../platform/store/values/json-attribute.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { atRevision, isNew } from '../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import type { SnoozedRecord } from './schema.ts'

export interface SnoozeDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query' | 'transact'>
  readonly clock: Clock
}
type ReadDependencies = { readonly store: Pick<Store, 'get' | 'getMany'>; readonly clock: Pick<Clock, 'now'> }

/** A record is away until then, or until it changes. */
interface Snooze {
  readonly untilMs: number
  readonly version: number
}
type Snoozes = ReadonlyMap<number, Snooze>

/** How long what a user snoozed is remembered for reads of single records. */
const rememberedMs = 10_000
const maxRemembered = 5000

/** What a user snoozed of a table, whose time is not over. */
const read = (item: Item | undefined, nowMs: number): Snoozes =>
  new Map(
    Object.entries(item ? readJson<Record<string, readonly [number, number]>>(item, 'records') : {}).flatMap(
      ([id, [untilMs, version]]): [number, Snooze][] => (untilMs > nowMs ? [[Number(id), { untilMs, version }]] : []),
    ),
  )

/** Whether a record did not change since the version that was snoozed; its delete and its return are no change. */
const isSame = (snoozed: number, version: number, item: Item | null | undefined): boolean =>
  snoozed === version || (snoozed < version && snoozed >= Number(item?.same_since ?? Infinity))

/** Those that live and did not change since. */
async function stillAway(
  { store }: Pick<ReadDependencies, 'store'>,
  { tenant }: Viewer,
  model: string,
  snoozes: Snoozes,
): Promise<Snoozes> {
  const all = [...snoozes]
  if (all.length === 0) return snoozes
  const items = await store.getMany(
    tenant,
    all.map(([id]) => recordKey(tenant, model, id)),
    ['pk', 'sk', 'version', 'deleted_at', 'same_since'],
  )
  return new Map(
    all.filter(([, { version }], index) => {
      const item = items[index]
      return item !== undefined && isLiving(item) && isSame(version, Number(item.version), item)
    }),
  )
}

/** The records of a table that a user's views leave out now. One read for a user without any. */
export async function snoozedIds(
  services: ReadDependencies,
  viewer: Viewer,
  model: string,
): Promise<readonly number[]> {
  const { store, clock } = services
  const snoozes = read(await store.get(viewer.tenant, snoozesKey(viewer.tenant, viewer.userId, model)), clock.now())
  return [...(await stillAway(services, viewer, model, snoozes)).keys()]
}

/** What users snoozed, as the export of a tenant holds it, also what changed since. */
export async function exportedSnoozes(
  { store, clock }: { readonly store: Pick<Store, 'query'>; readonly clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  users: readonly number[],
): Promise<readonly object[]> {
  const rows: object[] = []
  for (const userId of users)
    for (const item of await readAll(store, tenant, { pk: snoozesPartition(tenant, userId) }))
      for (const [id, { untilMs, version }] of read(item, clock.now()))
        rows.push({ user_id: userId, model: String(item.sk), id, version, snoozed_until: isoTime(untilMs) })
  return rows
}

/** Snoozed records, per user. */
export function createSnoozes(services: SnoozeDependencies) {
  const { store, clock } = services
  const remembered = lruMap<string, { readonly atMs: number; readonly snoozes: Snoozes }>(maxRemembered)
  const nameOf = ({ tenant, userId }: Viewer, model: string): string => `${tenant.id} ${userId} ${model}`

  /** Until when a record that was read is snoozed; null: it is not. `item`: its row. */
  async function untilOf(
    viewer: Viewer,
    model: string,
    record: { id: number; version: number },
    item: Item | null | undefined,
  ): Promise<string | null> {
    const { tenant, userId } = viewer
    const name = nameOf(viewer, model)
    const nowMs = clock.now()
    let known = remembered.get(name)
    if (!known || nowMs - known.atMs > rememberedMs) {
      known = { atMs: nowMs, snoozes: read(await store.get(tenant, snoozesKey(tenant, userId, model)), nowMs) }
      remembered.set(name, known)
    }
    const found = known.snoozes.get(record.id)
    return found && found.untilMs > nowMs && isSame(found.version, record.version, item) ? isoTime(found.untilMs) : null
  }

  /** Snoozes a record that the viewer has read, or ends it. Throws Invalid for a time that is over, and for too many. */
  async function set(
    viewer: Viewer,
    model: string,
    { id, version }: { readonly id: number; readonly version: number },
    until: string | null,
  ): Promise<SnoozedRecord> {
    const { tenant, userId } = viewer
    const untilMs = until === null ? 0 : Date.parse(until)
    if (until !== null && untilMs <= clock.now())
      throw new Invalid({ until: [say('snoozed_into_past', { field: 'until' })] })
    const key = snoozesKey(tenant, userId, model)
    await retryWithJitter(clock, async (again) => {
      const item = await store.get(tenant, key)
      const nowMs = clock.now()
      const others = new Map(read(item, nowMs))
      const had = others.delete(id)
      if (until === null && !had) return
      const kept = others.size < maxSnoozedRecords ? others : await stillAway(services, viewer, model, others)
      if (until !== null && kept.size >= maxSnoozedRecords)
        throw new Invalid({
          until: [say('snoozed_too_many', { count: kept.size, model })],
        })
      const after: Snoozes = until === null ? kept : new Map([...kept, [id, { untilMs, version }]])
      const records = Object.fromEntries([...after].map(([one, snooze]) => [one, [snooze.untilMs, snooze.version]]))
      const lastMs = Math.max(nowMs, ...[...after.values()].map((one) => one.untilMs))
      const rev = item ? Number(item.rev) : 0
      const row = {
        ...key,
        kind: 'snoozes',
        v: 1,
        user_id: userId,
        rev: rev + 1,
        records: JSON.stringify(records),
        expires_at: Math.ceil(lastMs / 1000),
      }
      try {
        await store.transact(tenant, [{ put: row, if: item ? atRevision(rev) : isNew }], clock.uuid())
      } catch (error) {
        if (error instanceof TransactionRefused) return again(error)
        throw error
      }
      remembered.set(nameOf(viewer, model), { atMs: nowMs, snoozes: after })
    })
    return { id, model, snoozed_until: until === null ? null : isoTime(untilMs) }
  }

  /** What a user snoozed, in the order in which it returns. */
  async function list(viewer: Viewer, query: ListQuery): Promise<Page<SnoozedRecord>> {
    const { tenant, userId } = viewer
    const items = await readAll(store, tenant, { pk: snoozesPartition(tenant, userId) })
    const found = await Promise.all(
      items.map(async (item) => {
        const model = String(item.sk)
        if (!mayOnTable(viewer, model, 'read')) return []
        const snoozes = await stillAway(services, viewer, model, read(item, clock.now()))
        return [...snoozes].map(([id, { untilMs }]) => ({ id, model, snoozed_until: isoTime(untilMs) }))
      }),
    )
    // Two tables have the same ids: a row is known by its rank.
    const rows = found
      .flat()
      .toSorted((a, b) => a.snoozed_until.localeCompare(b.snoozed_until) || a.id - b.id)
      .map((one, index) => ({ id: index + 1, one }))
    const page = pageOfWholeList('snoozed', rows, query, ({ one }) => one)
    return { ...page, items: page.items.map(({ one }) => one) }
  }

  return { untilOf, set, list }
}
