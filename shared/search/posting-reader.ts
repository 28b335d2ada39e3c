import type { TenantRef } from '../kernel/tenancy.ts'
import { idAtEnd } from '../store/keys/key.ts'
import { postingPartition, postingPrefix, tellsPostingPartition } from '../store/keys/search.ts'
import type { Store } from '../store/store.ts'
import type { Table } from '../tables/service.ts'
import { readWeight } from './index-rows.ts'

/** A word to find, or the prefix of one. */
export interface Term {
  readonly token: string
  readonly isPrefix: boolean
}
/** Record id to score. */
export type Scores = Map<number, number>

/** Reads the postings of one term in several steps, each from where the last one stopped. */
export type PostingReader = ReturnType<typeof openPostings>

export function openPostings(store: Store, tenant: TenantRef, table: Table, term: Term) {
  const { token, isPrefix } = term
  const { generation, replaced = [] } = table.search_index
  // A prefix too short to tell its partition cannot be read.
  const partitions =
    isPrefix && !tellsPostingPartition(token)
      ? []
      : [generation, ...replaced].map((written) => postingPartition(tenant, table.name, written, token))
  const isReadable = partitions.length > 0
  // Two arrays of numbers: a common word has too many postings for an object each.
  const ids: number[] = []
  const weights: number[] = []
  let postings = 0
  let current = 0
  let after: Readonly<Record<string, string>> | undefined

  /** Reads until there are more than `most` postings in total; keeps those of records in `keep`. True at the end. */
  async function readUpTo(most: number, keep?: { has(id: number): boolean }): Promise<boolean> {
    const prefix = isPrefix ? token : postingPrefix(token)
    while (current < partitions.length && postings <= most) {
      const page = await store.query(tenant, {
        pk: partitions[current] as string,
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
      if (!after) current += 1
    }
    return isComplete()
  }

  const isComplete = (): boolean => isReadable && current === partitions.length

  /** The best score of each record read so far, or of those in `keep`. */
  function scores(keep?: { has(id: number): boolean }): Scores {
    const best: Scores = new Map()
    for (const [index, id] of ids.entries()) {
      if (!keep || keep.has(id)) best.set(id, Math.max(weights[index] as number, best.get(id) ?? 0))
    }
    return best
  }

  return { term, isReadable, isComplete, readUpTo, scores }
}
