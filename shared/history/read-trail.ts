import { cursorCodec, cursorPart } from '../http/paging/cursor.ts'
import type { Page } from '../http/routing/envelope.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { parseTrailSort, type TrailPart, trailPartitions } from '../store/keys/history.ts'
import { type Key, keyOfItem } from '../store/keys/key.ts'
import type { Item } from '../store/marshal.ts'
import { readMerged } from '../store/merge-shards.ts'
import { slotName, slotSort, trailSlots } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import { readTrailRow } from '../trail/service.ts'
import { describeRows } from './describe-rows.ts'
import type { TrailEntryAnswer, TrailQuery } from './schema.ts'

/** Index keys read for one answer. A larger total is not exact. */
const maxScannedKeys = 20_000
/** Keys read at once while a filter is looked for that no index answers. */
const keysPerRead = 1000

/** `sort`: the sort key of the last entry of the page before. */
const cursors = cursorCodec(
  'trail',
  { sort: cursorPart.text(/^\d{4}-[^#]+#[a-z]+#[a-z0-9_]+#\d+#\d+(#[\w-]+)?$/) },
  'The cursor is not one of this trail. Use meta.next_cursor of the page before.',
)

interface TrailDependencies {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/** A page of the tenant's trail, newest first. Index keys alone answer every filter. */
export async function readTrail(
  deps: TrailDependencies,
  tenant: TenantRef,
  query: TrailQuery,
): Promise<Page<TrailEntryAnswer>> {
  const { page, per_page, cursor } = query
  const offset = cursor ? null : (page - 1) * per_page
  const first = offset ?? 0
  const { keys, isWhole } = await matchingKeys(
    deps.store,
    tenant,
    query,
    cursor ? cursors.read(cursor).sort : undefined,
    cursor ? per_page + 1 : maxScannedKeys,
  )
  const chosen = keys.slice(first, first + per_page)
  const last = chosen.at(-1)
  return {
    items: await entriesOf(deps, tenant, chosen),
    total: keys.length,
    perPage: per_page,
    page: cursor ? null : page,
    offset,
    nextCursor: last && keys.length > first + per_page ? cursors.write(last) : null,
    meta: isWhole && !cursor ? undefined : { total_exact: false },
  }
}

interface TrailKey extends Key {
  readonly sort: string
}

async function matchingKeys(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
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
  let isWhole = true
  for await (const { items, hasMore } of readMerged(store, tenant, shards, range)) {
    for (const item of items) {
      const sort = slotSort(item, slot)
      if (matches(sort, query)) keys.push({ ...keyOfItem(item), sort })
    }
    isWhole = !hasMore
    if (keys.length >= limit) break
  }
  return { keys, isWhole }
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
  deps: TrailDependencies,
  tenant: TenantRef,
  keys: readonly TrailKey[],
): Promise<TrailEntryAnswer[]> {
  const items = await deps.store.getMany(tenant, keys)
  const rows = items.filter((item): item is Item => item !== undefined)
  const described = await describeRows(deps, tenant, rows)
  return described.map((entry, index) => {
    const { model, recordId, version, event, name } = readTrailRow(rows[index] as Item)
    const id =
      event === undefined ? `${model}.${recordId}.${entry.id}.${entry.created_at}` : `${model}.${recordId}.${event}`
    return {
      ...entry,
      id,
      model,
      record_id: recordId,
      version,
      ...(name !== undefined && { name }),
    }
  })
}
