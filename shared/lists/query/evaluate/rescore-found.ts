import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxSearchMatches } from '../../../kernel/limits/lists.ts'
import { idAt } from '../../columns/chunk.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import type { SearchTerms } from '../grammar/search-terms.ts'
import type { FoundChunks } from './keys/found-keys.ts'

/** Records scored before others get their turn. */
const recordsPerTurn = 256

/**
 * What a search found for a viewer from whom field rules hide searched fields: every record is scored by the columns
 * that they may read, and left out when these do not match. Throws Invalid when too many match.
 */
export async function rescoreFound(
  view: ColumnView,
  found: FoundChunks,
  { score }: NonNullable<SearchTerms['rescore']>,
  turn: () => Promise<void> | undefined,
): Promise<FoundChunks> {
  const rescored = new Map<number, ReturnType<FoundChunks>>()
  let count = 0
  for (let chunk = 0; chunk < view.chunks; chunk += 1) {
    const candidates = found(chunk)
    if (!candidates || candidates.positions.length === 0) continue
    const matching: { readonly position: number; readonly score: number }[] = []
    for (const [index, position] of candidates.positions.entries()) {
      if (index % recordsPerTurn === 0) {
        const later = turn()
        if (later) await later
        for (let waiting = view.ready(chunk); waiting; waiting = view.ready(chunk)) await waiting
      }
      const own = score(idAt(chunk, position), (column) => view.vector(column, chunk)?.get(position))
      if (own > 0) matching.push({ position, score: own })
    }
    count += matching.length
    if (count > maxSearchMatches) throw tooMany()
    rescored.set(chunk, {
      positions: Uint16Array.from(matching, (one) => one.position),
      scores: Float64Array.from(matching, (one) => one.score),
    })
  }
  return (chunk) => rescored.get(chunk)
}

const tooMany = (): Invalid =>
  new Invalid(
    { search: [`This search finds more than ${maxSearchMatches} records. Use more words, or longer ones.`] },
    { code: 'query_too_expensive' },
  )
