import type { Run } from './run.ts'
import type { Entry } from './scan.ts'
import type { SearchTerms } from './search-terms.ts'

/** What the search index knows of these words, in the order of a ranked list; undefined: the records themselves must be asked. */
export async function findBySearch(run: Run, { words }: SearchTerms): Promise<readonly Entry[] | undefined> {
  if (words.length === 0) return []
  const found = await run.dependencies.searchIndex?.find(run.tenant, run.table, words)
  return found
    ?.toSorted((a, b) => b.score - a.score || b.id - a.id)
    .map(({ id, score }) => ({ id, sort: '', values: [score, id] }))
}
