import type { TenantRef } from '../kernel/tenancy.ts'
import { idAtEnd } from '../store/keys/key.ts'
import { postingPartition, postingPrefix, tellsPostingPartition } from '../store/keys/search.ts'
import type { Store } from '../store/table.ts'
import type { Table } from '../tables/service.ts'
import { readWeight } from './index-rows.ts'

/** A word to be found, or the beginning of one. */
export interface Term {
  readonly token: string
  readonly isPrefix: boolean
}
/** Record to score. */
export type Scores = Map<number, number>

/** The postings of one term, read on from where reading stopped. */
export type TermReading = ReturnType<typeof openTerm>

export function openTerm(store: Store, tenant: TenantRef, table: Table, term: Term) {
  const { token, isPrefix } = term
  const { generation, replaced = [] } = table.search_index
  // A term too short to tell where its postings stand is never read.
  const partitions =
    isPrefix && !tellsPostingPartition(token)
      ? []
      : [generation, ...replaced].map((written) => postingPartition(tenant, table.name, written, token))
  const isReadable = partitions.length > 0
  // Of a common word there are many: no object for each.
  const ids: number[] = []
  const weights: number[] = []
  let postings = 0
  let at = 0
  let after: Readonly<Record<string, string>> | undefined

  /** Reads on until there are more than `most` postings, and keeps those of records that `keep` names. Whether that was all. */
  async function readOn(most: number, keep?: { has(id: number): boolean }): Promise<boolean> {
    const prefix = isPrefix ? token : postingPrefix(token)
    while (at < partitions.length && postings <= most) {
      const page = await store.query(tenant, {
        pk: partitions[at] as string,
        prefix,
        after,
        consistent: false,
        attributes: ['sk', 'w'],
        limit: most + 1 - postings,
      })
      for (const item of page.items) {
        const id = idAtEnd(String(item.sk))
        if (keep && !keep.has(id)) continue
        ids.push(id)
        weights.push(readWeight(item))
      }
      postings += page.items.length
      after = page.last
      if (!after) at += 1
    }
    return isWhole()
  }

  const isWhole = (): boolean => isReadable && at === partitions.length

  /** The best score of each record read so far, of those that `keep` names. */
  function scores(keep?: { has(id: number): boolean }): Scores {
    const best: Scores = new Map()
    for (const [index, id] of ids.entries()) {
      if (!keep || keep.has(id)) best.set(id, Math.max(weights[index] as number, best.get(id) ?? 0))
    }
    return best
  }

  return { term, isReadable, isWhole, readOn, scores }
}
