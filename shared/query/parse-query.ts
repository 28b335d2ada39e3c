import { Invalid } from '../faults.ts'
import { errorList } from '../tables/table.ts'
import type { AggregatePlan } from './parse-aggregate.ts'
import { parseAggregate } from './parse-aggregate.ts'
import { all, type Expression } from './expression.ts'
import type { SortKey } from './order.ts'
import { parseFilter } from './parse-filter.ts'
import { parseSelection, type Selection } from './parse-selection.ts'
import { parseSort } from './parse-sort.ts'
import { hashOfQuery } from './place.ts'
import type { RawQuery } from './schema.ts'
import { byRank, searchTerms, type SearchTerms } from './search-terms.ts'
import type { Variables } from './variables.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A query, checked against its table. */
export interface Query {
  readonly filter: Expression
  readonly search?: SearchTerms
  readonly order: readonly SortKey[]
  readonly selection: Selection
  readonly aggregate?: AggregatePlan
  /** Tells this list from every other; a cursor carries it. */
  readonly hash: string
}

/**
 * Reads a query. `restrictions` are added to its filter: what the caller's roles allow to see. Throws Invalid naming every
 * path that is wrong.
 */
export function parseQuery(raw: RawQuery, vocabulary: Vocabulary, variables: Variables, restrictions?: Expression): Query {
  const list = errorList()
  const given = parseFilter(raw.filter, { vocabulary, variables, list })
  const search = raw.search?.trim() ? searchTerms(vocabulary.table, raw.search) : undefined
  const sorted = parseSort(raw.sort ?? undefined, vocabulary, list)
  const order = search && !raw.sort?.length ? byRank(search) : sorted
  const selection = parseSelection(raw.fields ?? undefined, raw.expand ?? undefined, vocabulary, list)
  const aggregate = parseAggregate(raw, vocabulary, list)
  if (list.any) throw new Invalid(list.errors)
  const hash = hashOfQuery([vocabulary.table.name, raw.filter ?? null, raw.search?.trim() ?? '', order.map(({ field, descending }) => [field.path, descending])])
  return {
    filter: restrictions ? all([given, restrictions]) : given,
    order,
    selection,
    hash,
    ...(search && { search }),
    ...(aggregate && { aggregate }),
  }
}
