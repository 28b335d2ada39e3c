import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { recordKey, retentionKey, retentionPartition, tombstoneKey } from '../../../platform/store/keys/records.ts'
import { parseRetainedLink, retainedLinkKey, retainedLinkPrefix } from '../../../platform/store/keys/relations.ts'
import { readSurvivor } from '../../../platform/store/ranges/merged-records.ts'
import { livingAttributes, readMergedFrom } from '../../../platform/store/rows/record-row.ts'
import { retain, retainedUntil } from '../../../platform/store/rows/retention-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { and, exists, isMarkedDeleted, isUndeleted } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { otherSide, type Relation, relationOf, tableAt } from '../relation.ts'
import { linkBetween, rowKey } from './link-rows.ts'
import { type End, joinedOrigin, type LinkDependencies, type Origin, originOf, placement } from './merge-links.ts'
import type { Ref } from './retained-links.ts'

/** Each takes up to four rows, and the record itself is checked. */
const linksPerTransaction = 20

/** How many links came back, how many wait for their other record, and whether that was all. */
export interface ReturnedLinks {
  readonly returned: number
  readonly waiting: number
  readonly isDone: boolean
}

/**
 * Brings the links of a restored record back whose other records live; the others wait with theirs. One to a record that was
 * merged meanwhile goes to the record that it became part of. Repeatable. Stops when time is up, and when the record is
 * gone again.
 */
export async function returnRetainedLinks(
  services: LinkDependencies,
  tenant: Tenant,
  ref: Ref,
  timeIsUp: () => boolean,
): Promise<ReturnedLinks> {
  const { store, config } = services
  const all = await config.list(tenant, 'RELATION', relationOf)
  const relations = new Map(all.map((relation) => [relation.id, relation]))
  const pk = retentionPartition(tenant, ref.model, ref.id)
  let [returned, waiting] = [0, 0]
  for (;;) {
    const { items } = await store.query(tenant, { pk, prefix: retainedLinkPrefix, limit: linksPerTransaction })
    if (items.length === 0) return { returned, waiting, isDone: true }
    const counts = timeIsUp() ? undefined : await bringBack(services, tenant, ref, items, relations)
    if (!counts) return { returned, waiting, isDone: false }
    returned += counts.returned
    waiting += counts.waiting
  }
}

/** Undefined: the record does not live any more. */
function bringBack(
  { store, clock }: LinkDependencies,
  tenant: Tenant,
  ref: Ref,
  items: readonly Item[],
  relations: ReadonlyMap<number, Relation>,
): Promise<Omit<ReturnedLinks, 'isDone'> | undefined> {
  return retryWithJitter(clock, async (again) => {
    const near = await readSurvivor(store, tenant, ref)
    if (!near) return undefined
    const links = items.flatMap((item) => {
      const { relationId, side, otherId } = parseRetainedLink(keyOfItem(item))
      const relation = relations.get(relationId)
      return relation ? [{ item, relation, side, far: { model: tableAt(relation, otherSide(side)), id: otherId } }] : []
    })
    const ends = await readEnds(
      store,
      tenant,
      links.map(({ far }) => far),
    )
    const rows = await store.getMany(
      tenant,
      links.flatMap(({ relation, side }, index) => {
        const link = linkBetween(relation.id, side, near.ref.id, ends[index]?.living?.id ?? 0)
        return [rowKey(tenant, link, side), rowKey(tenant, link, otherSide(side))]
      }),
    )
    const checked = new Map<string, Write>()
    const check = (key: Key, write: Write): unknown => checked.set(`${key.pk} ${key.sk}`, write)
    const writes: Write[] = items.map((item) => ({ remove: keyOfItem(item), if: exists }))
    let [returned, waiting] = [0, 0]
    const mayBeGone = (key: Key) => check(key, { check: key, if: and(exists, isUndeleted) })
    for (const [index, { item, relation, side, far }] of links.entries()) {
      const { living, gone } = ends[index] ?? {}
      if (living) {
        const between = { near: { from: ref.id, to: near.ref.id }, far: { from: far.id, to: living.id } }
        const isItself = far.model === ref.model && far.id !== ref.id && living.id === near.ref.id
        if (isItself) continue
        const found = rows.slice(2 * index, 2 * index + 2)
        writes.push(...linkAgain(tenant, { relation, side }, between, item, living.mergedFrom, found))
        mayBeGone(recordKey(tenant, ref.model, near.ref.id))
        mayBeGone(recordKey(tenant, far.model, living.id))
        returned += 1
      } else if (gone && retainedUntil(gone.deletedAt) > clock.now()) {
        const there = retainedLinkKey(tenant, far, { relationId: relation.id, side: otherSide(side), otherId: ref.id })
        const { created_by, created_at } = item
        writes.push({ put: { ...there, kind: 'retained_link', v: 1, created_by, created_at } })
        const change = { dueAtMs: retainedUntil(gone.deletedAt), writeId: clock.uuid(), hasLinks: true } as const
        check(retentionKey(tenant, far.model, far.id), retain(tenant, far.model, far.id, change))
        check(gone.key, { check: gone.key, if: gone.isMarked ? and(exists, isMarkedDeleted) : exists })
        waiting += 1
      }
    }
    await commit(store, tenant, [...writes, ...checked.values()], clock.uuid(), again)
    return { returned, waiting }
  })
}

/** The other end of a link: the record, or what it became part of; or the row that says when it was deleted. */
interface FarEnd {
  readonly living?: { readonly id: number; readonly mergedFrom: readonly number[] }
  readonly gone?: { readonly key: Key; readonly deletedAt: string; readonly isMarked: boolean }
}

async function readEnds(store: LinkDependencies['store'], tenant: Tenant, refs: readonly Ref[]): Promise<FarEnd[]> {
  const recordKeys = refs.map(({ model, id }) => recordKey(tenant, model, id))
  const records = await store.getMany(tenant, recordKeys, [...livingAttributes, 'merged_from'])
  const absent = refs.filter((_, index) => !records[index])
  const tombstoneKeys = absent.map(({ model, id }) => tombstoneKey(tenant, model, id))
  const tombstones = await store.getMany(tenant, tombstoneKeys, ['pk', 'sk', 'deleted_at'])
  const deletedAt = new Map(absent.map((ref, index) => [ref, tombstones[index]?.deleted_at]))
  return Promise.all(
    refs.map(async (ref, index): Promise<FarEnd> => {
      const item = records[index]
      if (item?.deleted_at !== undefined)
        return { gone: { key: keyOfItem(item), deletedAt: String(item.deleted_at), isMarked: true } }
      if (item?.merged_into === undefined && item) return { living: { id: ref.id, mergedFrom: readMergedFrom(item) } }
      const survivor = item && (await readSurvivor(store, tenant, ref))
      if (survivor) return { living: { id: survivor.ref.id, mergedFrom: readMergedFrom(survivor.item) } }
      const at = deletedAt.get(ref)
      return at === undefined
        ? {}
        : { gone: { key: tombstoneKey(tenant, ref.model, ref.id), deletedAt: String(at), isMarked: false } }
    }),
  )
}

interface MovedEnd {
  readonly from: number
  readonly to: number
}

/** The rows of a link that returns, unless somebody has linked the records again. */
function linkAgain(
  tenant: Tenant,
  { relation, side }: End,
  { near, far }: { readonly near: MovedEnd; readonly far: MovedEnd },
  item: Item,
  mergedFrom: readonly number[],
  [nearRow, farRow]: readonly (Item | undefined)[],
): Write[] {
  const own: Origin = { isOwn: true, by: Number(item.created_by), at: String(item.created_at), from: [] }
  if (far.to !== far.from) {
    const end = { relation, side: otherSide(side) }
    return placement(tenant, end, far.to, near.to, farRow, joinedOrigin(farRow, far.from, own))
  }
  if (near.to !== near.from)
    return placement(tenant, { relation, side }, near.to, far.to, nearRow, joinedOrigin(nearRow, near.from, own))
  if (nearRow) return []
  // What the other record had it from, unless that was unmerged meanwhile.
  const known = item.far_origin === undefined ? undefined : originOf({ origin: item.far_origin })
  const isKnown = known?.from.every(({ id }) => mergedFrom.includes(id))
  const origin = isKnown ? { ...own, far: String(item.far_origin) } : own
  return placement(tenant, { relation, side }, near.to, far.to, undefined, origin)
}
