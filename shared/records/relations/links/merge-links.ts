import type { Tenant } from '../../../kernel/tenancy.ts'
import { linkPartition, otherIdOf, type Side } from '../../../platform/store/keys/relations.ts'
import type { Write } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { equals, exists, isNew, lacks, and } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { RelationDependencies } from '../dependencies.ts'
import { otherSide, type Relation, relationOf, sidesOf, tableAt } from '../relation.ts'
import { linkBetween, linkWrites, rowKey } from './link-rows.ts'

/** What works on the links of a record. */
export type LinkDependencies = Pick<RelationDependencies, 'store' | 'config' | 'clock'>

/** Links moved by one transaction: each takes up to four rows. */
const linksPerTransaction = 20
/** Links read at once. */
const linksPerRead = 500

/** Whose link it was before merges moved it, so that unmerges give each back its own. */
export interface Origin {
  /** It is a link of the record itself, too. */
  readonly isOwn: boolean
  readonly by: number
  readonly at: string
  /** The merged records that had it, with what they had from others. */
  readonly from: readonly { readonly id: number; readonly origin: Origin }[]
  /** What its row of the other side knew of merges there. */
  readonly far?: string
}

/** Two records of a table: links go from one to the other. */
export interface MovedBetween {
  readonly model: string
  readonly from: number
  readonly to: number
}

/** One end of the links of a record. */
export interface End {
  readonly relation: Relation
  readonly side: Side
}

/** What a row of a link knows of merges. */
export const originOf = (row: Item): Origin =>
  row.origin === undefined
    ? { isOwn: true, by: Number(row.created_by), at: String(row.created_at), from: [] }
    : readJson<Origin>(row, 'origin')

/** What the link of a survivor knows once it has that of a merged record, too; `theirs`: its row, if it had one. */
export function joinedOrigin(theirs: Item | undefined, from: number, origin: Origin): Origin {
  const kept = theirs ? originOf(theirs) : { ...origin, isOwn: false, from: [] }
  return { ...kept, from: [...kept.from, { id: from, origin }] }
}

const withFar = (origin: Origin, far: Item | undefined): Origin =>
  far?.origin === undefined ? origin : { ...origin, far: String(far.origin) }

/** Where a table is an end of relations. */
export async function endsOf({ config }: LinkDependencies, tenant: Tenant, model: string): Promise<End[]> {
  const relations = await config.list(tenant, 'RELATION', relationOf)
  return relations.flatMap((relation) => sidesOf(relation, model).map((side) => ({ relation, side })))
}

/** How many links a merge would move: at most 1,000 of each relation are counted. */
export async function countLinks(
  services: LinkDependencies,
  tenant: Tenant,
  model: string,
  id: number,
): Promise<number> {
  const counts = (await endsOf(services, tenant, model)).map(async ({ relation, side }) => {
    const { items } = await services.store.query(tenant, {
      pk: linkPartition(tenant, relation.id, side, id),
      limit: 1000,
    })
    return items.length
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/**
 * Moves the links of a merged record to the one that it was merged into. A link that both had stays once, and knows that
 * both had it. Repeatable: what is moved is not found again. Answers whether all are moved.
 */
export async function moveLinks(
  services: LinkDependencies,
  tenant: Tenant,
  { model, from, to }: MovedBetween,
  timeIsUp: () => boolean,
): Promise<boolean> {
  for (const { relation, side } of await endsOf(services, tenant, model)) {
    const pk = linkPartition(tenant, relation.id, side, from)
    for (let after: Readonly<Record<string, string>> | undefined; ;) {
      const { items, last } = await services.store.query(tenant, { pk, limit: linksPerRead, ...(after && { after }) })
      // What links the two records to each other stays with the merged one.
      const isItself = tableAt(relation, otherSide(side)) === model
      const others = items.map(otherIdOf).filter((other) => !(isItself && other === to))
      if (
        !(await eachChunk(others, timeIsUp, (chunk) =>
          rewrite(services, tenant, { relation, side }, chunk, [from, to], (other, [ours, theirs, far]) => {
            if (!ours) return []
            const origin = withFar(originOf(ours), far)
            return [
              ...removal(tenant, { relation, side }, from, other, ours),
              ...placement(tenant, { relation, side }, to, other, theirs, joinedOrigin(theirs, from, origin)),
            ]
          }),
        ))
      )
        return false
      if (!last) break
      after = last
    }
  }
  return true
}

/**
 * Gives a record that is unmerged its links back, as far as they still exist. Repeatable. Answers whether all are back.
 */
export async function returnLinks(
  services: LinkDependencies,
  tenant: Tenant,
  { model, from, to }: MovedBetween,
  timeIsUp: () => boolean,
): Promise<boolean> {
  for (const { relation, side } of await endsOf(services, tenant, model)) {
    const pk = linkPartition(tenant, relation.id, side, to)
    for (let after: Readonly<Record<string, string>> | undefined; ;) {
      const { items, last } = await services.store.query(tenant, { pk, limit: linksPerRead, ...(after && { after }) })
      const others = items.filter((row) => originOf(row).from.some(({ id }) => id === from)).map(otherIdOf)
      if (
        !(await eachChunk(others, timeIsUp, (chunk) =>
          rewrite(services, tenant, { relation, side }, chunk, [to, from], (other, [theirs, ours]) => {
            const joined = theirs && originOf(theirs)
            const own = joined?.from.find(({ id }) => id === from)
            if (!theirs || !joined || !own) return []
            const left: Origin = { ...joined, from: joined.from.filter((one) => one !== own) }
            const isLeft = left.isOwn || left.from.length > 0
            return [
              ...(isLeft
                ? placement(tenant, { relation, side }, to, other, theirs, left)
                : removal(tenant, { relation, side }, to, other, theirs)),
              ...(ours ? [] : placement(tenant, { relation, side }, from, other, undefined, own.origin)),
            ]
          }),
        ))
      )
        return false
      if (!last) break
      after = last
    }
  }
  return true
}

async function eachChunk(
  ids: readonly number[],
  timeIsUp: () => boolean,
  run: (chunk: readonly number[]) => Promise<void>,
): Promise<boolean> {
  for (let start = 0; start < ids.length; start += linksPerTransaction) {
    if (timeIsUp()) return false
    await run(ids.slice(start, start + linksPerTransaction))
  }
  return true
}

/** Rewrites the links of two records with the same others in one transaction, and again when somebody was faster. */
async function rewrite(
  { store, clock }: LinkDependencies,
  tenant: Tenant,
  { relation, side }: End,
  others: readonly number[],
  [one, two]: readonly [number, number],
  writesFor: (other: number, rows: readonly (Item | undefined)[]) => readonly Write[],
): Promise<void> {
  await retryWithJitter(clock, async (again) => {
    const rows = await store.getMany(
      tenant,
      others.flatMap((other) => [
        ...[one, two].map((id) => rowKey(tenant, linkBetween(relation.id, side, id, other), side)),
        rowKey(tenant, linkBetween(relation.id, side, one, other), otherSide(side)),
      ]),
    )
    const writes = others.flatMap((other, index) => writesFor(other, rows.slice(3 * index, 3 * index + 3)))
    if (writes.length > 0) await commit(store, tenant, writes, clock.uuid(), again)
  })
}

const unchanged = (row: Item) =>
  row.origin === undefined ? and(exists, lacks('origin')) : equals('origin', row.origin)

const removal = (tenant: Tenant, { relation, side }: End, id: number, other: number, row: Item): Write[] => {
  const link = linkBetween(relation.id, side, id, other)
  return [{ remove: rowKey(tenant, link, side), if: unchanged(row) }, { remove: rowKey(tenant, link, otherSide(side)) }]
}

/** The rows of a link with its origin, in the row under the record of this side. That of the other side is left alone. */
export function placement(
  tenant: Tenant,
  { relation, side }: End,
  id: number,
  other: number,
  row: Item | undefined,
  origin: Origin,
): Write[] {
  const link = linkBetween(relation.id, side, id, other)
  const key = rowKey(tenant, link, side)
  const isPlain = origin.isOwn && origin.from.length === 0
  const text = JSON.stringify(origin)
  if (row)
    return [
      {
        update: key,
        change: isPlain
          ? { expression: 'REMOVE origin' }
          : { expression: 'SET origin = :origin', values: { ':origin': text } },
        if: unchanged(row),
      },
    ]
  const { far } = origin
  return linkWrites(tenant, link, origin).map((write) => {
    if (!('put' in write)) return write
    const isNear = write.put.pk === key.pk && write.put.sk === key.sk
    const known = isNear ? (isPlain ? undefined : text) : far
    return known === undefined ? write : { put: { ...write.put, origin: known }, if: isNew }
  })
}
