import { NotFound } from '../faults.ts'
import { retryWithJitter } from '../store/backoff.ts'
import { linkPartition, recordKey, type Side } from '../store/keys.ts'
import { TransactionRefused } from '../store/refusals.ts'
import type { Tenant } from '../tenancy.ts'
import type { RelationDependencies } from './deps.ts'
import { inChunks, linkBetween, maxWrites, otherIds, rowKey, unlinkWrites, type Link } from './link-rows.ts'
import { otherSide, tableAt } from './relation.ts'
import type { Relation } from './schema.ts'

/** Links read, and removed, before the next are looked for. */
const batch = 1000

/**
 * Unlinks records on `side` of a relation from the record `otherId` on its other side: those of `ids`, or all of them.
 * What is not linked is passed over. Answers how many links this call removed: two calls at once never count one twice.
 */
export async function unlink(
  deps: Pick<RelationDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  relation: Relation,
  side: Side,
  otherId: number,
  ids?: readonly number[],
): Promise<number> {
  const anchor = otherSide(side)
  const table = tableAt(relation, anchor)
  const record = await deps.store.get(tenant, recordKey(tenant, table, otherId))
  if (!record || record.deleted_at !== undefined) throw new NotFound('record', { model: table, id: otherId })
  const linkTo = (id: number): Link => linkBetween(relation.id, anchor, otherId, id)
  if (ids) return removeStanding(deps, tenant, [...new Set(ids)].map(linkTo), anchor)
  let removed = 0
  for (;;) {
    const { items } = await deps.store.query(tenant, { pk: linkPartition(tenant, relation.id, anchor, otherId), limit: batch })
    if (items.length === 0) return removed
    removed += await removeStanding(deps, tenant, otherIds(items).map(linkTo), anchor)
  }
}

/** Removes those links that stand, each transaction on condition that all of its links still do. */
async function removeStanding({ store, clock }: Pick<RelationDependencies, 'store' | 'clock'>, tenant: Tenant, links: readonly Link[], side: Side): Promise<number> {
  let removed = 0
  await inChunks(links, maxWrites / 2, (chunk) =>
    retryWithJitter(clock, async (again) => {
      const rows = await store.getMany(
        tenant,
        chunk.map((link) => rowKey(tenant, link, side)),
        ['pk', 'sk'],
      )
      const standing = chunk.filter((_, index) => rows[index] !== undefined)
      if (standing.length === 0) return
      try {
        await store.transact(
          tenant,
          standing.flatMap((link) => unlinkWrites(tenant, link, side)),
          clock.uuid(),
        )
      } catch (error) {
        if (error instanceof TransactionRefused) return again(error)
        throw error
      }
      removed += standing.length
    }),
  )
  return removed
}
