import { idOfPosting, manifestKey, postingPartition, postingPrefix, tellsPostingPartition } from '../store/keys.ts'
import type { Store } from '../store/table.ts'
import type { Table } from '../tables/table.ts'
import type { TenantRef } from '../tenancy.ts'
import { readManifest } from './manifest.ts'

/** A record that holds every word; the higher its score, the better it matches. */
export interface FoundRecord {
  readonly id: number
  readonly score: number
}

/** A word to be found, or the beginning of one. */
interface Term {
  readonly token: string
  readonly isPrefix: boolean
}
type Scores = Map<number, number>

/** Read of each word to begin with: a word that has no more narrows a search down enough. */
const fewPostings = 2_000
/** More postings than this are not read for one word: it tells too little apart. */
const maxPostings = 50_000

/**
 * The records of a table that hold all of these words, as `tokensOf` makes them, the last one as a beginning; best first,
 * then newest. undefined when the index cannot tell within its bounds: then the records themselves have to be asked.
 * A record just written may take two seconds to appear, and one just changed to go: readers look at the record again.
 */
export async function findRecords(store: Store, tenant: TenantRef, table: Table, words: readonly string[]): Promise<readonly FoundRecord[] | undefined> {
  const terms = termsOf(words)
  const read = (most: number) => Promise.all(terms.map((term) => readTerm(store, tenant, table, term, most)))
  const few = await read(fewPostings)
  const lists = few.some((list) => list !== undefined) ? few : await read(maxPostings)
  const known = lists.filter((list) => list !== undefined)
  if (known.length === 0) return undefined
  const matches = known.reduce(intersect)
  // What is too common to be read is looked for in the records that the rarer words leave.
  const found = await verify(store, tenant, table, matches, terms.filter((_, index) => lists[index] === undefined))
  return found && [...found].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || b.id - a.id)
}

function termsOf(words: readonly string[]): Term[] {
  const last = words.at(-1)
  const whole = [...new Set(words.slice(0, -1))].map((token) => ({ token, isPrefix: false }))
  return last === undefined ? [] : [...whole, { token: last, isPrefix: true }]
}

/** Records that hold a term; undefined when they are more than `most`, or when the term is too short to tell where they stand. */
async function readTerm(store: Store, tenant: TenantRef, table: Table, { token, isPrefix }: Term, most: number): Promise<Scores | undefined> {
  if (isPrefix && !tellsPostingPartition(token)) return undefined
  const scores: Scores = new Map()
  let postings = 0
  const { generation, replaced = [] } = table.search_index
  for (const written of [generation, ...replaced]) {
    const pk = postingPartition(tenant, table.name, written, token)
    const prefix = isPrefix ? token : postingPrefix(token)
    let after: Readonly<Record<string, string>> | undefined
    do {
      const page = await store.query(tenant, { pk, prefix, after, consistent: false, attributes: ['sk', 'w'], limit: most + 1 - postings })
      for (const { sk, w } of page.items) {
        const id = idOfPosting(String(sk))
        scores.set(id, Math.max(Number(w), scores.get(id) ?? 0))
      }
      postings += page.items.length
      if (postings > most) return undefined
      after = page.last
    } while (after)
  }
  return scores
}

function intersect(matches: Scores, others: Scores): Scores {
  const both: Scores = new Map()
  for (const [id, score] of matches) {
    const other = others.get(id)
    if (other !== undefined) both.set(id, score + other)
  }
  return both
}

/** Those whose manifest holds the terms too; undefined when they are too many to look at. */
async function verify(store: Store, tenant: TenantRef, table: Table, matches: Scores, terms: readonly Term[]): Promise<Scores | undefined> {
  if (terms.length === 0) return matches
  if (matches.size > fewPostings) return undefined
  const keys = [...matches.keys()].map((id) => manifestKey(tenant, table.name, id))
  const manifests = (await store.getMany(tenant, keys)).map(readManifest)
  const verified: Scores = new Map()
  ;[...matches].forEach(([id, score], index) => {
    const weights = terms.map((term) => weightOf(term, manifests[index]?.tokens))
    if (weights.every((weight) => weight > 0)) verified.set(id, weights.reduce((sum, weight) => sum + weight, score))
  })
  return verified
}

/** What a record's best word for a term is worth; 0 when it has none. */
function weightOf({ token, isPrefix }: Term, tokens: ReadonlyMap<string, number> = new Map()): number {
  if (!isPrefix) return tokens.get(token) ?? 0
  return [...tokens].reduce((most, [word, weight]) => (word.startsWith(token) ? Math.max(most, weight) : most), 0)
}
