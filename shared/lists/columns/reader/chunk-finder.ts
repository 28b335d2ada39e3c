import type { Heard } from '../../search/said.ts'
import { type FoundInChunk, type HeardInChunk, scoreChunk } from '../../search/score-chunk.ts'
import type { Term } from '../../search/terms.ts'
import { chunkIds, chunkOf, positionOf } from '../chunk.ts'
import { leafName, type WantedLeaf } from './memory/read-leaves.ts'
import type { SearchedTail, TableState } from './table-state.ts'

/** By chunk, for each term the leaves that may have it, and these leaves by their name. */
interface FoundLeaves {
  readonly wanted: ReadonlyMap<number, readonly (readonly WantedLeaf[])[]>
  readonly leaves: ReadonlyMap<string, Uint8Array>
}

/** The positions of a tail that its words are in step with. */
export function positionsInTail(searched: SearchedTail, { tail }: TableState): ReadonlyMap<number, Uint16Array> {
  if (searched.positions?.order !== searched.order) {
    const byChunk = new Map([...tail.chunks].map(([chunk, rows]) => [chunk, Uint16Array.from(rows.keys()).sort()]))
    searched.positions = { order: searched.order, byChunk }
  }
  return searched.positions.byChunk
}

/**
 * Answers for each chunk what its leaves have, and what the tail has for the records in it. A chunk is asked for several
 * times in a row.
 */
export function chunkFinder(
  terms: readonly Term[],
  { wanted, leaves }: FoundLeaves,
  tailPositions: ReadonlyMap<number, Uint16Array>,
  foundInTail: ReadonlyMap<number, number>,
  heard?: Heard,
): (chunk: number) => FoundInChunk | undefined {
  const foundByChunk = Map.groupBy(foundInTail, ([id]) => chunkOf(id))
  const heardByChunk = heard && terms.map((_, index) => heardInChunks(heard.ofTerm(index)))
  let last: { readonly chunk: number; readonly found: FoundInChunk | undefined } | undefined

  function find(chunk: number): FoundInChunk | undefined {
    const bytes = wanted.get(chunk)?.map((ofTerm) => ofTerm.map((leaf) => leaves.get(leafName(leaf)) as Uint8Array))
    const elsewhere = heardByChunk?.map((ofTerm) => ofTerm.get(chunk))
    const isHeard = elsewhere?.some((ofTerm) => ofTerm !== undefined)
    const folded = (bytes || isHeard) && scoreChunk(terms, bytes ?? terms.map(() => []), chunkIds, elsewhere)
    const replaced = tailPositions.get(chunk)
    return replaced ? replaceRows(folded || undefined, replaced, foundByChunk.get(chunk) ?? []) : folded || undefined
  }

  return (chunk) => {
    if (last?.chunk !== chunk) last = { chunk, found: find(chunk) }
    return last.found
  }
}

/** Records that have a term in what was said about them, by chunk. */
function heardInChunks(weights: ReadonlyMap<number, number>): ReadonlyMap<number, HeardInChunk> {
  const byChunk = Map.groupBy(weights, ([id]) => chunkOf(id))
  return new Map(
    [...byChunk].map(([chunk, some]) => [
      chunk,
      {
        positions: Uint16Array.from(some, ([id]) => positionOf(id)),
        weights: Uint32Array.from(some, ([, weight]) => weight),
      },
    ]),
  )
}

/** What was found in leaves, with the positions of the tail (rising) as the tail has them. */
function replaceRows(
  folded: FoundInChunk | undefined,
  replaced: Uint16Array,
  found: readonly (readonly [id: number, score: number])[],
): FoundInChunk {
  const later = found
    .map(([id, score]) => ({ position: positionOf(id), score }))
    .sort((a, b) => a.position - b.position)
  const most = (folded?.positions.length ?? 0) + later.length
  const [positions, scores] = [new Uint16Array(most), new Float64Array(most)]
  let [count, next, nextReplaced] = [0, 0, 0]
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
    while (nextReplaced < replaced.length && (replaced[nextReplaced] as number) < position) nextReplaced += 1
    if (replaced[nextReplaced] === position) continue
    addLaterUpTo(position)
    add(position, folded?.scores[index] as number)
  }
  addLaterUpTo(chunkIds)
  return { positions: positions.subarray(0, count), scores: scores.subarray(0, count) }
}
