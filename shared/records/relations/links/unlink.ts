import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { Forbidden } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { linkPartition, type Side } from '../../../platform/store/keys/relations.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { RelationDependencies } from '../dependencies.ts'
import { otherSide, type Relation, tableAt } from '../relation.ts'
import { inChunks } from './in-chunks.ts'
import { type Link, linkBetween, maxWrites, otherIds, rowKey, unlinkWrites } from './link-rows.ts'

/** Links read and removed at a time. */
const batch = 1000

type UnlinkDependencies = Pick<RelationDependencies, 'store' | 'clock'> & { readonly access: RowAccess }

/**
 * Unlinks records on `side` of a relation from the record `otherId` on its other side: those in `ids`, or all of them.
 * Ids that are not linked are ignored. Answers how many links this call removed; concurrent calls never count one
 * twice. Throws NotFound and Forbidden.
 */
export async function unlink(
  services: UnlinkDependencies,
  caller: Caller,
  relation: Relation,
  side: Side,
  otherId: number,
  ids?: readonly number[],
): Promise<number> {
  const { tenant } = caller
  const anchor = otherSide(side)
  const table = tableAt(relation, anchor)
  await services.access.require(
    caller,
    table,
    otherId,
    'read',
    await services.store.get(tenant, recordKey(tenant, table, otherId)),
  )
  const linkTo = (id: number): Link => linkBetween(relation.id, anchor, otherId, id)
  if (isLimitedOn(services.access, caller, tableAt(relation, side))) {
    const linked = ids
      ? [...new Set(ids)]
      : await linkedIds(services, tenant, linkPartition(tenant, relation.id, anchor, otherId))
    const updatable = await requireUpdatable(services, caller, tableAt(relation, side), linked, async (visible) => {
      const rows = await services.store.getMany(
        tenant,
        visible.map((id) => rowKey(tenant, linkTo(id), anchor)),
      )
      return visible.filter((_, index) => rows[index] !== undefined)
    })
    return removeExisting(services, tenant, updatable.map(linkTo), anchor)
  }
  if (ids) return removeExisting(services, tenant, [...new Set(ids)].map(linkTo), anchor)
  let removed = 0
  for (;;) {
    const { items } = await services.store.query(tenant, {
      pk: linkPartition(tenant, relation.id, anchor, otherId),
      limit: batch,
    })
    if (items.length === 0) return removed
    removed += await removeExisting(services, tenant, otherIds(items).map(linkTo), anchor)
  }
}

const isLimitedOn = (access: RowAccess, caller: Caller, table: string): boolean =>
  access.isLimited(caller, table, 'read') || access.isLimited(caller, table, 'update')

const linkedIds = async ({ store }: UnlinkDependencies, tenant: Tenant, pk: string): Promise<number[]> =>
  otherIds(await readAll(store, tenant, { pk, limit: batch }))

/**
 * The ids among these that are linked and visible to the caller. Throws Forbidden, before anything is removed, when the
 * caller may see one of them but not update it.
 */
async function requireUpdatable(
  { store, access }: UnlinkDependencies,
  caller: Caller,
  table: string,
  ids: readonly number[],
  existing: (ids: readonly number[]) => Promise<number[]>,
): Promise<number[]> {
  const updatable: number[] = []
  for (let start = 0; start < ids.length; start += batch) {
    const some = ids.slice(start, start + batch)
    const items = await store.getMany(
      caller.tenant,
      some.map((id) => recordKey(caller.tenant, table, id)),
    )
    const seen = await access.permitted(caller, table, 'read', items)
    const linked = new Set(await existing(some.filter((_, index) => seen[index] !== undefined)))
    const allowed = await access.permitted(caller, table, 'update', items)
    for (const [index, id] of some.entries()) {
      if (!linked.has(id)) continue
      if (!allowed[index])
        throw new Forbidden('record_forbidden', 'Your roles do not allow you to update every one of these records.')
      updatable.push(id)
    }
  }
  return updatable
}

/** Removes the links that exist. Each transaction requires that all of its links still do, and is retried otherwise. */
async function removeExisting(
  { store, clock }: Pick<RelationDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  links: readonly Link[],
  side: Side,
): Promise<number> {
  let removed = 0
  await inChunks(links, maxWrites / 2, (chunk) =>
    retryWithJitter(clock, async (again) => {
      const rows = await store.getMany(
        tenant,
        chunk.map((link) => rowKey(tenant, link, side)),
        ['pk', 'sk'],
      )
      const existing = chunk.filter((_, index) => rows[index] !== undefined)
      if (existing.length === 0) return
      await commit(
        store,
        tenant,
        existing.flatMap((link) => unlinkWrites(tenant, link, side)),
        clock.uuid(),
        again,
      )
      removed += existing.length
    }),
  )
  return removed
}
