import type { TenantRef } from '../kernel/tenancy.ts'
import { manifestKey } from '../store/keys/search.ts'
import type { Store } from '../store/store.ts'
import type { Table } from '../tables/service.ts'
import { readManifest } from './manifest.ts'
import { openPostings, type Scores, type Term, type PostingReader } from './posting-reader.ts'

/** A record that has every word. A higher score is a better match. */
export interface FoundRecord {
  readonly id: number
  readonly score: number
}

/** How many postings of each word are read first. A word with no more is selective enough. */
const fewPostings = 2_000
/** A word with more postings is not selective. At least one word must have fewer. */
const maxPostings = 50_000
/** The most postings read of any word. */
const mostPostings = 250_000

/**
 * The records of a table that have all of these words (tokens of `tokensOf`), the last one as a prefix: best first,
 * then newest. undefined when no word is selective enough: then the records themselves must be searched. The index lags
 * up to two seconds behind the records, so callers check each result against its record.
 */
export async function findRecords(
  store: Store,
  tenant: TenantRef,
  table: Table,
  words: readonly string[],
): Promise<readonly FoundRecord[] | undefined> {
  const readers = termsOf(words).map((term) => openPostings(store, tenant, table, term))
  for (let most = fewPostings; ; most *= 5) {
    const whole = await Promise.all(readers.map((reader) => reader.readUpTo(most)))
    if (whole.some(Boolean)) break
    if (most >= maxPostings || !readers.some(({ isReadable }) => isReadable)) return undefined
  }
  const complete = readers.filter((reader) => reader.isComplete())
  const common = readers.filter((reader) => !reader.isComplete())
  const matches = complete.map((reader) => reader.scores()).reduce(intersect)
  const found = await intersectCommonWords(store, tenant, table, matches, common)
  return found && [...found].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || b.id - a.id)
}

function termsOf(words: readonly string[]): Term[] {
  const last = words.at(-1)
  const whole = [...new Set(words.slice(0, -1))].map((token) => ({ token, isPrefix: false }))
  return last === undefined ? [] : [...whole, { token: last, isPrefix: true }]
}

/**
 * The matches that have the common words too. A few matches are checked by their manifests; for many, reading the
 * remaining postings of the common words is cheaper. undefined when those are too many.
 */
async function intersectCommonWords(
  store: Store,
  tenant: TenantRef,
  table: Table,
  matches: Scores,
  common: readonly PostingReader[],
): Promise<Scores | undefined> {
  if (common.length === 0 || matches.size <= fewPostings)
    return keepByManifest(
      store,
      tenant,
      table,
      matches,
      common.map(({ term }) => term),
    )
  const read = common.filter(({ isReadable }) => isReadable)
  const whole = await Promise.all(read.map((reader) => reader.readUpTo(mostPostings, matches)))
  if (whole.length < common.length || !whole.every(Boolean)) return undefined
  return read.map((reader) => reader.scores(matches)).reduce(intersect, matches)
}

function intersect(matches: Scores, others: Scores): Scores {
  const both: Scores = new Map()
  for (const [id, score] of matches) {
    const other = others.get(id)
    if (other !== undefined) both.set(id, score + other)
  }
  return both
}

/** The matches whose manifest has the terms too. */
async function keepByManifest(
  store: Store,
  tenant: TenantRef,
  table: Table,
  matches: Scores,
  terms: readonly Term[],
): Promise<Scores> {
  if (terms.length === 0) return matches
  const keys = [...matches.keys()].map((id) => manifestKey(tenant, table.name, id))
  const manifests = (await store.getMany(tenant, keys)).map(readManifest)
  const verified: Scores = new Map()
  ;[...matches].forEach(([id, score], index) => {
    const weights = terms.map((term) => weightOf(term, manifests[index]?.tokens))
    if (weights.every((weight) => weight > 0))
      verified.set(
        id,
        weights.reduce((sum, weight) => sum + weight, score),
      )
  })
  return verified
}

/** The weight of the record's best word for a term; 0 when it has none. */
function weightOf({ token, isPrefix }: Term, tokens: ReadonlyMap<string, number> = new Map()): number {
  if (!isPrefix) return tokens.get(token) ?? 0
  return [...tokens].reduce((most, [word, weight]) => (word.startsWith(token) ? Math.max(most, weight) : most), 0)
}
