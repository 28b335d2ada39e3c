import type { Tenant } from '../../../kernel/tenancy.ts'
import { type SaidKind, saidModel } from '../../../platform/queue/change-feed/said-event.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readMergedInto } from '../../../platform/store/rows/record-row.ts'
import type { Store } from '../../../platform/store/store.ts'
import { chunkOf, positionOf } from '../../columns/chunk.ts'
import type { Columns } from '../../columns/reader/create-columns.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import { type Heard, idInAbout, saidColumns, saidTable, textColumns } from '../../search/said.ts'
import { hasPhrase, phrasesOf, type Term, tokensOf } from '../../search/terms.ts'
import type { SearchTerms } from '../grammar/search-terms.ts'

/** So many records that do not live are looked at, whether they were merged: a word that more of them have finds those. */
const followedAtOnce = 1_000
/** Merges of merges are followed so far. */
const mergeSteps = 5

/** Opens the columns of what was said in a company, with its texts for phrases. Release the view. */
export const openSaid = (columns: Pick<Columns, 'open'>, tenant: Tenant, terms: readonly Term[]): Promise<ColumnView> =>
  columns.open(tenant, saidModel, phrasesOf(terms).length > 0 ? [...saidColumns, ...textColumns] : saidColumns, {
    words: saidTable,
  })

/**
 * Which records of a table have the words of a search in comments and messages that the viewer may read. `view`: the columns
 * of the table. What was said about a merged record counts for the one that it was merged into.
 */
export async function hearWords(
  store: Pick<Store, 'getMany'>,
  tenant: Tenant,
  model: string,
  { said, view }: { readonly said: ColumnView; readonly view: ColumnView },
  { terms, hears }: SearchTerms,
  turn: () => Promise<void> | undefined,
): Promise<Heard> {
  const found: Found[] = []
  const ofPhrases = new Map<readonly string[], Found>()
  for (const term of terms) {
    const known = term.phrase && ofPhrases.get(term.phrase)
    const ofTerm = known ?? (await recordsWith(said, model, term, hears, turn))
    if (term.phrase) ofPhrases.set(term.phrase, ofTerm)
    found.push(ofTerm)
  }
  const survivors = await followMerges(store, tenant, model, view, new Set(found.flatMap((some) => [...some.keys()])))
  const ofTerms: Map<number, number>[] = []
  const ids = new Map<number, Set<SaidKind>>()
  for (const ofTerm of found) {
    const weights = new Map<number, number>()
    for (const [home, { weight, kinds }] of ofTerm) {
      const id = survivors.get(home) ?? home
      weights.set(id, Math.max(weight, weights.get(id) ?? 0))
      ids.set(id, (ids.get(id) ?? new Set()).union(kinds))
    }
    ofTerms.push(weights)
  }
  return { ids, ofTerm: (index) => ofTerms[index] as Map<number, number> }
}

/** How well a term, or the phrase that it belongs to, matches in what was said about records, and in what of it, by record. */
type Found = Map<number, { readonly weight: number; readonly kinds: ReadonlySet<SaidKind> }>

async function recordsWith(
  said: ColumnView,
  model: string,
  term: Term,
  hears: SearchTerms['hears'],
  turn: () => Promise<void> | undefined,
): Promise<Found> {
  const { phrase } = term
  const found = await said.search(phrase ? phrase.map((word) => ({ word, isPrefix: false })) : [term])
  const weights: Found = new Map()
  for (let chunk = 0; chunk < said.chunks; chunk += 1) {
    const matching = found(chunk)
    if (!matching) continue
    for (let waiting = said.ready(chunk); waiting; waiting = said.ready(chunk)) await waiting
    const alive = said.alive(chunk)
    const [about, internal, message] = saidColumns.map((column) => said.vector(column, chunk))
    for (const [index, position] of matching.positions.entries()) {
      if (alive?.[position] !== 1) continue
      if (!hears.internal && internal?.get(position) === true) continue
      const isMessage = message?.get(position) === true
      if (!hears.messages && isMessage) continue
      if (phrase && !isSaidAt(said, chunk, position, phrase)) continue
      const records = about?.get(position)
      for (const text of Array.isArray(records) ? records : []) {
        const id = idInAbout(String(text), model)
        const weight = (matching.scores[index] as number) / (phrase?.length ?? 1)
        if (id === undefined) continue
        const known = weights.get(id)
        const kind = isMessage ? 'message' : 'comment'
        weights.set(id, {
          weight: Math.max(weight, known?.weight ?? 0),
          kinds: new Set([kind, ...(known?.kinds ?? [])]),
        })
      }
    }
    const later = turn()
    if (later) await later
  }
  return weights
}

/** Whether the words of a phrase stand side by side in the name or the text of something that was said. */
function isSaidAt(said: ColumnView, chunk: number, position: number, phrase: readonly string[]): boolean {
  const [who, ...parts] = textColumns.map((column) => tokensOf(String(said.vector(column, chunk)?.get(position) ?? '')))
  return hasPhrase(who as string[], phrase) || hasPhrase(parts.flat(), phrase)
}

/** The records that the ones among these were merged into which do not live, by id. */
async function followMerges(
  store: Pick<Store, 'getMany'>,
  tenant: Tenant,
  model: string,
  view: ColumnView,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, number>> {
  const survivors = new Map<number, number>()
  const lives = (id: number): boolean => view.alive(chunkOf(id))?.[positionOf(id)] === 1
  let open = [...ids]
    .filter((id) => !lives(id))
    .slice(0, followedAtOnce)
    .map((id) => ({ from: id, at: id }))
  for (let step = 0; open.length > 0 && step < mergeSteps; step += 1) {
    const items = await store.getMany(
      tenant,
      open.map(({ at }) => recordKey(tenant, model, at)),
    )
    open = open.flatMap(({ from }, index) => {
      const into = items[index] && readMergedInto(items[index])
      if (into === undefined) return []
      survivors.set(from, into)
      return lives(into) ? [] : [{ from, at: into }]
    })
  }
  return survivors
}
