import { createTurns } from '../../../kernel/runtime/give-way.ts'
import { leavesFor } from '../../search/leaf/cut-leaves.ts'
import { type Heard, weightIn } from '../../search/said.ts'
import type { FoundInChunk } from '../../search/score-chunk.ts'
import { createTailWords } from '../../search/tail-words.ts'
import { scoreWords, type Term } from '../../search/terms.ts'
import { type SearchedTable, wordConfig, wordsOf } from '../../search/words-of.ts'
import { chunkOf, positionOf } from '../chunk.ts'
import type { LeafPlace, Manifest } from '../manifest.ts'
import { valueIn } from '../row-values.ts'
import { chunkFinder, positionsInTail } from './chunk-finder.ts'
import { type ColumnTable, type ReaderDependencies, stateOfTable } from './column-table.ts'
import { missingBlock } from './memory/load-columns.ts'
import { readLeaves, type WantedLeaf } from './memory/read-leaves.ts'
import type { SearchedTail, TableState } from './table-state.ts'
import { tailRowAt } from './tail.ts'

/** How often the manifest is looked at while the words of a chunk were made with other searched fields. */
const lookAgainMs = 5_000

/**
 * Finds the records that have every term: in the leaves of the manifest, in the tail for records that it has, or in what was
 * said about them.
 */
export async function searchWords(
  readers: ReaderDependencies,
  table: ColumnTable,
  words: SearchedTable,
  terms: readonly Term[],
  heard?: Heard,
): Promise<(chunk: number) => FoundInChunk | undefined> {
  await lookForNewWords(readers, table, wordConfig(words))
  for (;;) {
    const state = stateOfTable(table)
    const { manifest } = state
    await indexTail(state, words)
    const wanted = leavesOfTerms(manifest, terms, heard)
    const leaves = await readLeaves(readers, table, [...wanted.values()].flat(2))
    if (!leaves) {
      table.wantsManifest = true
      await table.inStep()
      if (stateOfTable(table).manifest.rev === manifest.rev) throw missingBlock(table.model, manifest)
      continue
    }
    if (table.state !== state || state.manifest !== manifest) continue
    const tail = await indexTail(state, words)
    // Nothing waits from here on: the leaves and the tail are of one moment.
    if (tail.order === state.applied && tail.manifest === state.manifest && table.state === state) {
      const inTail = tail.words.find(terms)
      for (const id of heard?.ids.keys() ?? []) {
        const row = tailRowAt(state.tail, chunkOf(id), positionOf(id))?.row
        if (!row || row.isGone) continue
        const own = wordsOf(words, (column) => valueIn(row, column))
        const score = scoreWords(own, terms, weightIn(heard, id))
        if (score > 0) inTail.set(id, score)
      }
      return chunkFinder(terms, { wanted, leaves }, positionsInTail(tail, state), inTail, heard)
    }
  }
}

/** While a chunk has words of other searched fields, the manifest is read now and then: they are being made anew. */
async function lookForNewWords({ clock }: ReaderDependencies, table: ColumnTable, config: string): Promise<void> {
  const { words } = stateOfTable(table).manifest
  const isOld = [...words.values()].some((chunk) => chunk.config !== config)
  if (!isOld || clock.now() - table.wordsLookedAt < lookAgainMs) return
  table.wordsLookedAt = clock.now()
  table.wantsManifest = true
  await table.inStep()
}

/** By chunk, for each term the leaves that may have it. */
function leavesOfTerms(
  manifest: Manifest,
  terms: readonly Term[],
  heard: Heard | undefined,
): Map<number, WantedLeaf[][]> {
  const heardInChunk = terms.map((_, index) => new Set([...(heard?.ofTerm(index).keys() ?? [])].map(chunkOf)))
  const wanted = new Map<number, WantedLeaf[][]>()
  for (const [chunk, { leaves }] of manifest.words) {
    const firstWords = firstWordsOf(leaves)
    const ofTerms = terms.map((term) =>
      leavesFor(firstWords, term).map((index) => ({ chunk, place: leaves[index] as LeafPlace })),
    )
    // A term that no leaf may have, and nobody said: no record of the chunk has all of them.
    if (ofTerms.every(({ length }, index) => length > 0 || heardInChunk[index]?.has(chunk))) wanted.set(chunk, ofTerms)
  }
  return wanted
}

/** The first words of the leaves of a chunk. */
const knownFirstWords = new WeakMap<readonly LeafPlace[], readonly { readonly first: string }[]>()

function firstWordsOf(leaves: readonly LeafPlace[]): readonly { readonly first: string }[] {
  let words = knownFirstWords.get(leaves)
  if (!words) knownFirstWords.set(leaves, (words = leaves.map(([first]) => ({ first }))))
  return words
}

/** Brings the words of the tail in step with it: once for all searches that wait for it. */
async function indexTail(state: TableState, words: SearchedTable): Promise<SearchedTail> {
  const index = searchedTail(state, wordConfig(words))
  while (index.order < state.applied && index.manifest === state.manifest) {
    index.inStep ??= addRows(state, index, words).finally(() => (index.inStep = undefined))
    await index.inStep
  }
  return index
}

/** The words known of the tail, without those of rows that blocks have by now. */
function searchedTail(state: TableState, config: string): SearchedTail {
  const { manifest, tail, searched } = state
  const index =
    searched?.config === config ? searched : { config, manifest, words: createTailWords(), order: 0, inStep: undefined }
  state.searched = index
  if (index.manifest !== manifest) {
    for (const id of index.words.ids()) if (!tailRowAt(tail, chunkOf(id), positionOf(id))) index.words.forget(id)
    index.manifest = manifest
    index.positions = undefined
  }
  return index
}

/** Adds the words of the rows that came since, unless a fold shortens the tail meanwhile. */
async function addRows(state: TableState, index: SearchedTail, words: SearchedTable): Promise<void> {
  const { applied, tail } = state
  const nextTurn = createTurns()
  for (const rows of tail.chunks.values()) {
    for (const { row, order } of rows.values()) {
      if (order <= index.order) continue
      index.words.set(row.id, row.isGone ? noWords : wordsOf(words, (column) => valueIn(row, column)))
      const turn = nextTurn()
      if (turn) await turn
      if (state.tail !== tail) return
    }
  }
  index.order = applied
}

const noWords: ReadonlyMap<string, number> = new Map()
