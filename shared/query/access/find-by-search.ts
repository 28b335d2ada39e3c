import { isoTime } from '../../kernel/clock.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { standardFieldsByName } from '../grammar/field.ts'
import type { SearchTerms } from '../grammar/search-terms.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import { findSources } from '../plan/sources.ts'
import { listIds } from './list-ids.ts'
import type { Entry } from './table-scan.ts'

/** What a search leads to. */
export interface Found {
  /** What the index knows, in the order of a ranked list. */
  readonly entries: readonly Entry[]
  /** Further records, changed so lately that the index may not have heard of it. Whether they match is seen on them. */
  readonly unheard: ReadonlySet<number>
}

/** The search index follows a write within two seconds (contract §1); this leaves it some more. */
const indexedWithinMs = 5000
/** So many changed records are looked at; where there are more, the index is waited for. */
const maxUnheard = 200

/** What the search index knows of these words, and what it may not know yet; undefined: the records themselves must be asked. */
export async function findBySearch(run: PlanContext, { words }: SearchTerms): Promise<Found | undefined> {
  if (words.length === 0) return { entries: [], unheard: new Set() }
  const { searchIndex } = run.dependencies
  if (!searchIndex) return undefined
  const [found, changed] = await Promise.all([searchIndex.find(run.tenant, run.table, words), findLatelyChanged(run)])
  if (!found) return undefined
  const known = new Set(found.map(({ id }) => id))
  return {
    entries: found
      .toSorted((a, b) => b.score - a.score || b.id - a.id)
      .map(({ id, score }) => ({ id, sort: '', values: [score, id] })),
    unheard: new Set([...changed].filter((id) => !known.has(id))),
  }
}

async function findLatelyChanged(run: PlanContext): Promise<ReadonlySet<number>> {
  const { clock } = run.dependencies
  const field = standardFieldsByName.get('updated_at') as QueryField
  const [source] = clock
    ? findSources({ kind: 'test', field, predicate: { op: 'at_least', value: isoTime(clock.now() - indexedWithinMs) } })
        .sources
    : []
  return source ? (await listIds(run, source, maxUnheard)).ids : new Set()
}
