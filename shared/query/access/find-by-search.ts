import { isoTime } from '../../kernel/clock.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { standardFieldsByName } from '../grammar/field.ts'
import type { SearchTerms } from '../grammar/search-terms.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import { findSources } from '../plan/sources.ts'
import { listIds } from './list-ids.ts'
import type { Entry } from './table-scan.ts'

/** The result of a search in the index. */
export interface Found {
  /** The records that the index found, best first. */
  readonly entries: readonly Entry[]
  /** Records changed so recently that the index may lack them. They must be checked one by one. */
  readonly unindexed: ReadonlySet<number>
}

/** The search index lags up to two seconds (contract §1); this allows some more. */
const indexedWithinMs = 5000
/** The most recently changed records that are checked; the others wait for the index. */
const maxUnindexed = 200

/**
 * Finds records by words in the search index; undefined when the index cannot, and the records themselves must be
 * searched.
 */
export async function findBySearch(run: PlanContext, { words }: SearchTerms): Promise<Found | undefined> {
  if (words.length === 0) return { entries: [], unindexed: new Set() }
  const { searchIndex } = run.dependencies
  if (!searchIndex) return undefined
  const [found, changed] = await Promise.all([searchIndex.find(run.tenant, run.table, words), findLatelyChanged(run)])
  if (!found) return undefined
  const known = new Set(found.map(({ id }) => id))
  return {
    entries: found
      .toSorted((a, b) => b.score - a.score || b.id - a.id)
      .map(({ id, score }) => ({ id, sort: '', values: [score, id] })),
    unindexed: new Set([...changed].filter((id) => !known.has(id))),
  }
}

async function findLatelyChanged(run: PlanContext): Promise<ReadonlySet<number>> {
  const { clock } = run.dependencies
  const field = standardFieldsByName.get('updated_at') as QueryField
  const [source] = clock
    ? findSources({ kind: 'test', field, predicate: { op: 'at_least', value: isoTime(clock.now() - indexedWithinMs) } })
        .sources
    : []
  return source ? (await listIds(run, source, maxUnindexed)).ids : new Set()
}
