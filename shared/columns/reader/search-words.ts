import {
  createTailWords,
  type FoundInChunk,
  leavesFor,
  scoreChunk,
  type SearchedTable,
  type Term,
  wordConfig,
  wordsOf,
} from '../../search/service.ts'
import { chunkIds, chunkOf, positionOf } from '../chunk.ts'
import type { LeafPlace, Manifest } from '../manifest.ts'
import { valueIn } from '../row-values.ts'
import { createTurns } from '../turns.ts'
import { type ColumnTable, type ReaderDependencies, stateOfTable } from './column-table.ts'
import { missingBlock } from './memory/missing-block.ts'
import { leafName, readLeaves, type WantedLeaf } from './memory/read-leaves.ts'
import type { SearchedTail, TableState } from './table-state.ts'

/** How often the manifest is looked at while the words of a chunk were made with other searched fields. */
const lookAgainMs = 5_000

/** Finds the records that have every term: in the leaves of the manifest, and in the tail for records that it has. */
export async function searchWords(
  deps: ReaderDependencies,
  table: ColumnTable,
  words: SearchedTable,
  terms: readonly Term[],
): Promise<(chunk: number) => FoundInChunk | undefined> {
  await lookForNewWords(deps, table, wordConfig(words))
  for (;;) {
    const state = stateOfTable(table)
    const { manifest } = state
    await indexTail(state, words)
    const wanted = leavesOfTerms(manifest, terms)
    const leaves = await readLeaves(deps, table, [...wanted.values()].flat(2))
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
      return finder(state, terms, wanted, leaves, tail.words.find(terms))
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
function leavesOfTerms(manifest: Manifest, terms: readonly Term[]): Map<number, WantedLeaf[][]> {
  const wanted = new Map<number, WantedLeaf[][]>()
  for (const [chunk, { leaves }] of manifest.words) {
    const firstWords = leaves.map(([first]) => ({ first }))
    const ofTerms = terms.map((term) =>
      leavesFor(firstWords, term).map((index) => ({ chunk, place: leaves[index] as LeafPlace })),
    )
    // A term that no leaf may have: no record of the chunk has all of them.
    if (ofTerms.every(({ length }) => length > 0)) wanted.set(chunk, ofTerms)
  }
  return wanted
}

/** Brings the words of the tail in step with it. */
async function indexTail(state: TableState, words: SearchedTable): Promise<SearchedTail> {
  const config = wordConfig(words)
  const known = state.searched
  const isUsable = known?.config === config && known.manifest === state.manifest
  const index: SearchedTail = isUsable
    ? known
    : { config, manifest: state.manifest, words: createTailWords(), order: 0 }
  state.searched = index
  const nextTurn = createTurns()
  while (index.order < state.applied) {
    const { applied } = state
    for (const rows of state.tail.chunks.values()) {
      for (const { row, order } of rows.values()) {
        if (order <= index.order) continue
        index.words.set(row.id, row.isGone ? noWords : wordsOf(words, (column) => valueIn(row, column)))
        const turn = nextTurn()
        if (turn) await turn
      }
    }
    index.order = Math.max(index.order, applied)
  }
  return index
}

const noWords: ReadonlyMap<string, number> = new Map()

/** Answers for each chunk what its leaves have, and what the tail has for the records in it. */
function finder(
  { tail }: TableState,
  terms: readonly Term[],
  wanted: ReadonlyMap<number, readonly (readonly WantedLeaf[])[]>,
  leaves: ReadonlyMap<string, Uint8Array>,
  foundInTail: ReadonlyMap<number, number>,
): (chunk: number) => FoundInChunk | undefined {
  const positionsInTail = new Map([...tail.chunks].map(([chunk, rows]) => [chunk, Uint16Array.from(rows.keys())]))
  const foundByChunk = Map.groupBy(foundInTail, ([id]) => chunkOf(id))
  return (chunk) => {
    const bytes = wanted.get(chunk)?.map((ofTerm) => ofTerm.map((leaf) => leaves.get(leafName(leaf)) as Uint8Array))
    const folded = bytes && scoreChunk(terms, bytes, chunkIds)
    const replaced = positionsInTail.get(chunk)
    return replaced ? replaceRows(folded, replaced, foundByChunk.get(chunk) ?? []) : folded
  }
}

/** What was found in leaves, with the positions of the tail as the tail has them. */
function replaceRows(
  folded: FoundInChunk | undefined,
  replaced: Uint16Array,
  found: readonly (readonly [id: number, score: number])[],
): FoundInChunk {
  const isReplaced = new Uint8Array(chunkIds)
  for (const position of replaced) isReplaced[position] = 1
  const later = found
    .map(([id, score]) => ({ position: positionOf(id), score }))
    .sort((a, b) => a.position - b.position)
  const most = (folded?.positions.length ?? 0) + later.length
  const [positions, scores] = [new Uint16Array(most), new Float64Array(most)]
  let count = 0
  let next = 0
  const add = (position: number, score: number): void => {
    positions[count] = position
    scores[count] = score
    count += 1
  }
  const addLaterUpTo = (end: number): void => {
    for (let one = later[next]; one && one.position < end; one = later[(next += 1)]) add(one.position, one.score)
  }
  for (let index = 0; index < (folded?.positions.length ?? 0); index += 1) {
    const position = folded?.positions[index] as number
    if (isReplaced[position] === 1) continue
    addLaterUpTo(position)
    add(position, folded?.scores[index] as number)
  }
  addLaterUpTo(chunkIds)
  return { positions: positions.subarray(0, count), scores: scores.subarray(0, count) }
}
