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

/**
 * The records of a chunk that have every term. `leaves`: for each term the bytes of the leaves of `leavesFor`; `size`:
 * how many positions a chunk has.
 */
export function scoreChunk(
  terms: readonly Term[],
  leaves: readonly (readonly Uint8Array[])[],
  size: number,
): FoundInChunk {
  if (terms.length === 0 || leaves.some(({ length }) => length === 0)) return collect(new Float64Array(0))
  const scores = new TermScores(size)
  const postings = emptyPostings()
  for (const [index, { word, isPrefix }] of terms.entries()) {
    const bytes = Buffer.from(word)
    for (const leaf of leaves[index] as readonly Uint8Array[]) {
      const cursor = new LeafCursor(leaf)
      for (let more = cursor.seek(bytes); more && cursor.isAt(bytes, isPrefix); more = cursor.next()) {
        cursor.readPostings(postings)
        const { count, positions, weights } = postings
        for (let at = 0; at < count; at += 1) scores.add(positions[at] as number, weights[at] as number)
      }
    }
    scores.endTerm()
  }
  return collect(scores.sums)
}

function collect(sums: Float64Array): FoundInChunk {
  let count = 0
  for (let position = 0; position < sums.length; position += 1) if (sums[position] !== 0) count += 1
  const positions = new Uint16Array(count)
  const scores = new Float64Array(count)
  for (let position = 0, at = 0; at < count; position += 1) {
    if (sums[position] === 0) continue
    positions[at] = position
    scores[at] = sums[position] as number
    at += 1
  }
  return { positions, scores }
}
