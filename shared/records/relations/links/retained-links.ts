import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { retentionPartition } from '../../../platform/store/keys/records.ts'
import {
  linkPartition,
  otherIdOf,
  retainedLinkKey,
  retainedLinkPrefix,
} from '../../../platform/store/keys/relations.ts'
import { retain } from '../../../platform/store/rows/retention-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { otherSide, tableAt } from '../relation.ts'
import { inChunks } from './in-chunks.ts'
import { linkBetween, maxWrites, rowKey } from './link-rows.ts'
import { type End, endsOf, type LinkDependencies } from './merge-links.ts'

/*
 * The links of deleted records. A delete takes a link from both records and retains it under the one that left; when both left,
 * it is under one of them. It returns when both live.
 */

/** Links read at once. */
const linksPerRead = 500
/** A record. */
export interface Ref {
  readonly model: string
  readonly id: number
}

interface LinkAt extends End {
  readonly other: number
}

/**
 * Puts the links of a record away whose delete has begun, so that no new ones appear, until `untilMs`. Answers false when
 * `timeIsUp` answered true before the last one.
 */
export async function retainLinks(
  services: LinkDependencies,
  tenant: Tenant,
  { model, id }: Ref,
  untilMs: number,
  timeIsUp: () => boolean,
): Promise<boolean> {
  const { store, clock } = services
  const ends = await endsOf(services, tenant, model)
  for (let isNoted = false; ; isNoted = true) {
    const found = await Promise.all(
      ends.map(async (end): Promise<LinkAt[]> => {
        const pk = linkPartition(tenant, end.relation.id, end.side, id)
        const { items } = await store.query(tenant, { pk, limit: linksPerRead })
        return items.map((item) => ({ ...end, other: otherIdOf(item) }))
      }),
    )
    const links = found.flat()
    if (links.length === 0) return true
    if (timeIsUp()) return false
    const noted = { dueAtMs: untilMs, writeId: clock.uuid(), hasLinks: true } as const
    if (!isNoted) await store.write(tenant, retain(tenant, model, id, noted))
    // A record linked to itself is found on both sides, but a transaction may touch a row only once.
    const isItself = ({ relation, side, other }: LinkAt) =>
      side === 'r' && other === id && tableAt(relation, 'l') === model
    await inChunks(
      links.filter((one) => !isItself(one)),
      Math.floor(maxWrites / 3),
      (chunk) => putAway(services, tenant, { model, id }, chunk),
    )
  }
}

async function putAway(
  { store, clock }: LinkDependencies,
  tenant: Tenant,
  ref: Ref,
  links: readonly LinkAt[],
): Promise<void> {
  await retryWithJitter(clock, async (again) => {
    const keys = links.map(({ relation, side, other }) => {
      const link = linkBetween(relation.id, side, ref.id, other)
      return [rowKey(tenant, link, side), rowKey(tenant, link, otherSide(side))] as const
    })
    const rows = await store.getMany(tenant, keys.flat())
    const writes = links.flatMap(({ relation, side, other }, index): Write[] => {
      const [near, far] = rows.slice(2 * index, 2 * index + 2)
      // Somebody removed it meanwhile: it does not return.
      if (!near) return []
      const [nearKey, farKey] = keys[index] as readonly [Key, Key]
      const retained = {
        ...retainedLinkKey(tenant, ref, { relationId: relation.id, side, otherId: other }),
        kind: 'retained_link',
        v: 1,
        created_by: Number(near.created_by),
        created_at: String(near.created_at),
        ...(far?.origin !== undefined && { far_origin: String(far.origin) }),
      }
      return [{ remove: nearKey, if: exists }, { remove: farKey }, { put: retained }]
    })
    if (writes.length > 0) await commit(store, tenant, writes, clock.uuid(), again)
  })
}

/** How many links would come back or wait: at most `limit`. */
export const countRetainedLinks = async (
  store: Pick<LinkDependencies['store'], 'query'>,
  tenant: Tenant,
  { model, id }: Ref,
  limit: number,
): Promise<number> => {
  const range = { pk: retentionPartition(tenant, model, id), prefix: retainedLinkPrefix, limit }
  return (await store.query(tenant, range)).items.length
}

/** Removes what is retained of a record's links for good. Answers false when time was up before the last one. */
export async function removeRetainedLinks(
  store: Pick<LinkDependencies['store'], 'query' | 'writeMany'>,
  tenant: Tenant,
  { model, id }: Ref,
  timeIsUp: () => boolean,
): Promise<boolean> {
  const range = { pk: retentionPartition(tenant, model, id), prefix: retainedLinkPrefix, limit: linksPerRead }
  for (;;) {
    const { items } = await store.query(tenant, range)
    if (items.length === 0) return true
    if (timeIsUp()) return false
    await store.writeMany(tenant, [], items.map(keyOfItem))
  }
}
