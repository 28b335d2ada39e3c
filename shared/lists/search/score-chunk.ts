import { LeafCursor } from './leaf/leaf-cursor.ts'
import { emptyPostings } from './leaf/postings.ts'
import { TermScores } from './term-scores.ts'
import type { Term } from './terms.ts'

/** The records of one chunk that a search found. */
export interface FoundInChunk {
  /** Positions, rising. */
  readonly positions: Uint16Array
  /** How well each matches: the sum of its words' weights. */
  readonly scores: Float64Array
}

/** Memory of one search at a time: none waits for another. */
const scores = new TermScores()
const postings = emptyPostings()
const nothing: FoundInChunk = { positions: new Uint16Array(0), scores: new Float64Array(0) }

/** Records of a chunk that have a term elsewhere: positions of the chunk, with how well it matches. */
export interface HeardInChunk {
  readonly positions: Uint16Array
  readonly weights: Uint32Array
}

/**
 * The records of a chunk that have every term. `leaves`: for each term the bytes of the leaves of `leavesFor`; `size`:
 * how many positions a chunk has; `heard`: for each term the records that have it elsewhere.
 */
export function scoreChunk(
  terms: readonly Term[],
  leaves: readonly (readonly Uint8Array[])[],
  size: number,
  heard: readonly (HeardInChunk | undefined)[] = [],
): FoundInChunk {
  if (terms.length === 0 || leaves.some(({ length }, index) => length === 0 && !heard[index])) return nothing
  scores.begin(size)
  for (const [index, { word, isPrefix }] of terms.entries()) {
    const bytes = Buffer.from(word)
    for (const leaf of leaves[index] as readonly Uint8Array[]) {
      const cursor = new LeafCursor(leaf)
      for (let more = cursor.seek(bytes); more && cursor.isAt(bytes, isPrefix); more = cursor.next()) {
        cursor.readPostings(postings)
        scores.add(postings.positions, postings.weights, postings.count)
      }
    }
    const elsewhere = heard[index]
    if (elsewhere) scores.add(elsewhere.positions, elsewhere.weights, elsewhere.positions.length)
    scores.endTerm()
  }
  return copyOf(scores.found())
}

function copyOf(found: Uint32Array): FoundInChunk {
  const sums = new Float64Array(found.length)
  for (let at = 0; at < found.length; at += 1) sums[at] = scores.scoreOf(found[at]!)
  return { positions: new Uint16Array(found), scores: sums }
}
