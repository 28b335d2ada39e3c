import type { TenantRef } from '../kernel/tenancy.ts'
import { manifestKey } from '../store/keys/search.ts'
import type { Store } from '../store/table.ts'
import type { Table } from '../tables/service.ts'
import { readManifest } from './manifest.ts'
import { openTerm, type Scores, type Term, type TermReading } from './read-postings.ts'

/** A record that holds every word; the higher its score, the better it matches. */
export interface FoundRecord {
  readonly id: number
  readonly score: number
}

/** Read of each word to begin with: a word that has no more narrows a search down enough. */
const fewPostings = 2_000
/** A word with more postings than this does not narrow a search down. */
const maxPostings = 50_000
/** More are not read of any word: it tells too little apart. */
const mostPostings = 250_000

/**
 * The records of a table that hold all of these words, as `tokensOf` makes them, the last one as a beginning; best first,
 * then newest. undefined when the index cannot tell within its bounds: then the records themselves have to be asked.
 * A record just written may take two seconds to appear, and one just changed to go: readers look at the record again.
 */
export async function findRecords(
  store: Store,
  tenant: TenantRef,
  table: Table,
  words: readonly string[],
): Promise<readonly FoundRecord[] | undefined> {
  const readings = termsOf(words).map((term) => openTerm(store, tenant, table, term))
  for (let most = fewPostings; ; most *= 5) {
    const whole = await Promise.all(readings.map((reading) => reading.readOn(most)))
    if (whole.some(Boolean)) break
    if (most >= maxPostings || !readings.some(({ isReadable }) => isReadable)) return undefined
  }
  const known = readings.filter((reading) => reading.isWhole())
  const common = readings.filter((reading) => !reading.isWhole())
  const matches = known.map((reading) => reading.scores()).reduce(intersect)
  const found = await narrowDown(store, tenant, table, matches, common)
  return found && [...found].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || b.id - a.id)
}

function termsOf(words: readonly string[]): Term[] {
  const last = words.at(-1)
  const whole = [...new Set(words.slice(0, -1))].map((token) => ({ token, isPrefix: false }))
  return last === undefined ? [] : [...whole, { token: last, isPrefix: true }]
}

/**
 * Those of the matches that hold the common words too. A few are looked at one by one; for many the rest of the common words'
 * postings is the cheaper read, of which only the matches are kept.
 */
async function narrowDown(
  store: Store,
  tenant: TenantRef,
  table: Table,
  matches: Scores,
  common: readonly TermReading[],
): Promise<Scores | undefined> {
  if (common.length === 0 || matches.size <= fewPostings)
    return verify(
      store,
      tenant,
      table,
      matches,
      common.map(({ term }) => term),
    )
  const read = common.filter(({ isReadable }) => isReadable)
  const whole = await Promise.all(read.map((reading) => reading.readOn(mostPostings, matches)))
  if (whole.length < common.length || !whole.every(Boolean)) return undefined
  return read.map((reading) => reading.scores(matches)).reduce(intersect, matches)
}

function intersect(matches: Scores, others: Scores): Scores {
  const both: Scores = new Map()
  for (const [id, score] of matches) {
    const other = others.get(id)
    if (other !== undefined) both.set(id, score + other)
  }
  return both
}

/** Those whose manifest holds the terms too. */
async function verify(
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

/** What a record's best word for a term is worth; 0 when it has none. */
function weightOf({ token, isPrefix }: Term, tokens: ReadonlyMap<string, number> = new Map()): number {
  if (!isPrefix) return tokens.get(token) ?? 0
  return [...tokens].reduce((most, [word, weight]) => (word.startsWith(token) ? Math.max(most, weight) : most), 0)
}
