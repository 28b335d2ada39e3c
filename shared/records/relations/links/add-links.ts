import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Side } from '../../../platform/store/keys/relations.ts'
import { livingAttributes } from '../../../platform/store/rows/record-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { and, exists, isUndeleted } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { RelationDependencies } from '../dependencies.ts'
import { otherSide, type Relation, tableAt } from '../relation.ts'
import type { LinkResult } from '../schema.ts'
import { linkBetween, linkWrites, maxWrites, rowKey } from './link-rows.ts'

/** Each link takes two rows and a check of the far record; the near record is checked once. */
const linksPerTransaction = Math.floor((maxWrites - 1) / 3)

const lives = and(exists, isUndeleted)

/**
 * Links the record `id` on `side` of a relation with `ids` on the other side. Existing links are kept. When an id does
 * not exist or the caller may not see it, throws Invalid naming `ids.<n>`, and nothing is linked. Every transaction
 * checks that its records exist, so no link outlives a concurrent delete (docs/decisions/0006).
 */
export async function addLinks(
  { store, clock, access }: Pick<RelationDependencies, 'store' | 'clock'> & { readonly access: RowAccess },
  caller: Caller,
  relation: Relation,
  side: Side,
  id: number,
  ids: readonly number[],
): Promise<LinkResult> {
  const { tenant, userId } = caller
  const wanted = [...new Set(ids)]
  const far = otherSide(side)
  const nearKey = recordKey(tenant, tableAt(relation, side), id)
  const farKey = (farId: number) => recordKey(tenant, tableAt(relation, far), farId)
  const linkTo = (farId: number) => linkBetween(relation.id, side, id, farId)
  const [nearTable, farTable] = [tableAt(relation, side), tableAt(relation, far)]
  const isLimited =
    access.isLimited(caller, nearTable, 'read') ||
    access.isLimited(caller, nearTable, 'update') ||
    access.isLimited(caller, farTable, 'read')
  const made = { by: userId, at: isoTime(clock.now()) }
  const added = new Set<number>()

  return retryWithJitter(clock, async (again) => {
    const rows = await store.getMany(
      tenant,
      [nearKey, ...wanted.map(farKey), ...wanted.map((farId) => rowKey(tenant, linkTo(farId), side))],
      isLimited ? undefined : livingAttributes,
    )
    const [near, ...others] = rows
    await access.require(caller, nearTable, id, 'update', near)
    const living = await access.permitted(caller, farTable, 'read', others.slice(0, wanted.length))
    const gone = new Set(wanted.filter((_, index) => !living[index]))
    // After the first transaction every id was valid: a record that is missing now was deleted meanwhile, with its
    // links.
    if (gone.size > 0 && added.size === 0) throw new Invalid(unknownIds(ids, gone))
    const existing = new Set(wanted.filter((_, index) => others[wanted.length + index] !== undefined))
    const missing = wanted.filter((farId) => !existing.has(farId) && !gone.has(farId))

    for (let start = 0; start < missing.length; start += linksPerTransaction) {
      const chunk = missing.slice(start, start + linksPerTransaction)
      const writes = chunk.flatMap((farId): Write[] => linkWrites(tenant, linkTo(farId), made))
      // A record linked to itself is checked once, because a transaction may touch a row only once.
      const checked = new Map([nearKey, ...chunk.map(farKey)].map((key) => [`${key.pk} ${key.sk}`, key]))
      await commit(
        store,
        tenant,
        [...writes, ...[...checked.values()].map((key) => ({ check: key, if: lives }))],
        clock.uuid(),
        again,
      )
      for (const farId of chunk) added.add(farId)
    }
    const kept = wanted.filter((farId) => !gone.has(farId))
    return { added: kept.filter((farId) => added.has(farId)), existing: kept.filter((farId) => !added.has(farId)) }
  })
}

const unknownIds = (ids: readonly number[], gone: ReadonlySet<number>) =>
  Object.fromEntries(
    ids.flatMap((id, index) => (gone.has(id) ? [[`ids.${index}`, [`The selected ids.${index} is invalid.`]]] : [])),
  )
