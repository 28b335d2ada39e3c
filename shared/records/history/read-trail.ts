import { maxScannedKeys } from '../../kernel/limits/lists.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { cursorCodec, cursorPart } from '../../platform/http/paging/cursor.ts'
import { pageTooDeep, readFitting } from '../../platform/http/paging/fit-page.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { parseTrailSort, type TrailPart, trailPartitions } from '../../platform/store/keys/history.ts'
import { type Key, keyOfItem } from '../../platform/store/keys/key.ts'
import { readMerged } from '../../platform/store/ranges/merge-shards.ts'
import { asStored } from '../../platform/store/rows/stored-names.ts'
import { slotName, slotSort, trailSlots } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { readTrailRow } from '../../platform/trail/trail-event.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { describeRows } from './describe-changes.ts'
import type { HistoryEntryAnswer, TrailEntryAnswer, TrailQuery } from './schema.ts'

/** Keys read at once while a filter is looked for that no index answers. */
const keysPerRead = 1000

/** `sort`: the sort key of the last entry of the page before. */
const cursors = cursorCodec(
  'trail',
  { sort: cursorPart.text(/^\d{4}-[^#]+#[a-z]+#[a-z0-9_~]+#\d+#\d+(#[\w-]+)?$/) },
  'The cursor is not one of this trail. Use meta.next_cursor of the page before.',
)

interface TrailDependencies {
  readonly tables: Pick<Tables, 'find'>
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/**
 * A page of the tenant's trail, newest first. Index keys alone answer every filter. Throws Invalid for a page by number
 * that is too large, or behind the keys that one request reads.
 */
export async function readTrail(
  trail: TrailDependencies,
  tenant: Tenant,
  query: TrailQuery,
): Promise<Page<TrailEntryAnswer>> {
  const { page, per_page, cursor } = query
  const offset = cursor ? null : (page - 1) * per_page
  const first = offset ?? 0
  const { keys, lookedTo } = await matchingKeys(
    trail.store,
    tenant,
    query,
    cursor ? cursors.read(cursor).sort : undefined,
    cursor ? per_page + 1 : maxScannedKeys,
  )
  if (lookedTo !== undefined && first > 0 && first >= keys.length) throw pageTooDeep(keys.length, 'entries')
  const chosen = keys.slice(first, first + per_page)
  const { items, taken } = await readFitting(chosen, (some) => entriesOf(trail, tenant, some), query, 'entries')
  const hasMore = keys.length > first + taken
  const next = hasMore ? chosen[taken - 1]?.sort : lookedTo
  return {
    items,
    total: keys.length,
    perPage: per_page,
    page: cursor ? null : page,
    offset,
    nextCursor: next === undefined ? null : cursors.write({ sort: next }),
    meta: lookedTo === undefined && !cursor ? undefined : { total_exact: false },
  }
}

interface TrailKey extends Key {
  readonly sort: string
}

async function matchingKeys(
  store: Pick<Store, 'query'>,
  tenant: Tenant,
  query: TrailQuery,
  before: string | undefined,
  limit: number,
) {
  const { slot, part, isSifted } = sourceOf(query)
  const shards = trailPartitions(tenant, part).map((pk) => ({ pk, index: slotName(slot) }))
  const range = {
    ...(query.from !== undefined && { from: query.from }),
    ...(query.to !== undefined && { to: `${query.to}\u{10FFFF}` }),
    after: before,
    reverse: true,
    limit: maxScannedKeys,
    wanted: isSifted ? Math.max(limit, keysPerRead) : limit,
  }
  const keys: TrailKey[] = []
  /** The last key that was looked at, when there are more. */
  let lookedTo: string | undefined
  for await (const { items, hasMore } of readMerged(store, tenant, shards, range)) {
    for (const item of items) {
      const sort = slotSort(item, slot)
      if (matches(sort, query)) keys.push({ ...keyOfItem(item), sort })
    }
    const last = items.at(-1)
    lookedTo = hasMore && last ? slotSort(last, slot) : undefined
    if (keys.length >= limit) break
  }
  return { keys, lookedTo }
}

/** Selects the smallest of the three indexes. `isSifted`: a filter remains that this index does not answer. */
function sourceOf({ user_id, model, action }: TrailQuery): { slot: number; part: TrailPart; isSifted: boolean } {
  const isSifted = action !== undefined
  if (user_id !== undefined)
    return { slot: trailSlots.byUser, part: { userId: user_id }, isSifted: isSifted || model !== undefined }
  return model === undefined
    ? { slot: trailSlots.byTime, part: 'whole', isSifted }
    : { slot: trailSlots.byModel, part: { model }, isSifted }
}

function matches(sort: string, { model, action }: TrailQuery): boolean {
  const found = parseTrailSort(sort)
  return (model === undefined || found.model === model) && (action === undefined || found.action === action)
}

async function entriesOf(
  trail: TrailDependencies,
  tenant: Tenant,
  keys: readonly TrailKey[],
): Promise<(TrailEntryAnswer | undefined)[]> {
  const items = await trail.store.getMany(tenant, keys)
  const found = items.filter((item) => item !== undefined)
  const models = new Set(found.filter(({ kind }) => kind === 'history').map((item) => readTrailRow(item).model))
  const tables = new Map(
    await Promise.all([...models].map(async (model) => [model, await trail.tables.find(tenant, model)] as const)),
  )
  const described = await describeRows(trail, tenant, found, {
    tableOf: ({ model, event }) => (event === undefined && tables.get(model)) || asStored,
  })
  return items.map((item) => item && trailEntryOf(item, described.shift() as HistoryEntryAnswer))
}

function trailEntryOf(item: Item, entry: HistoryEntryAnswer): TrailEntryAnswer {
  const { model, recordId, version, event, name } = readTrailRow(item)
  const id =
    event === undefined ? `${model}.${recordId}.${entry.id}.${entry.created_at}` : `${model}.${recordId}.${event}`
  return { ...entry, id, model, record_id: recordId, version, ...(name !== undefined && { name }) }
}
