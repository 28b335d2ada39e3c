import { Invalid } from '../../../kernel/failures/faults.ts'
import { ErrorList } from '../../../tables/tables/error-list.ts'
import { hashOfQuery } from '../read/cursor.ts'
import { readGroupOrder, type SortKey } from '../read/order.ts'
import type { RawQuery } from '../schema.ts'
import { all, type Expression } from './expression.ts'
import { type AggregatePlan, parseAggregate } from './parse-aggregate.ts'
import { parseFilter } from './parse-filter.ts'
import { parseHaving } from './parse-having.ts'
import { parseSelection, type Selection } from './parse-selection.ts'
import { parseSort } from './parse-sort.ts'
import type { FieldNames } from './resolve-field.ts'
import { byRank, searchTerms, type SearchTerms } from './search-terms.ts'
import type { Variables } from './variables.ts'

/** A parsed query. */
export interface Query {
  readonly filter: Expression
  readonly search?: SearchTerms
  readonly order: readonly SortKey[]
  readonly selection: Selection
  readonly aggregate?: AggregatePlan
  /** The viewer may not see every record of the table. */
  readonly isRestricted: boolean
  /** Identifies the list; a cursor is valid only for the list with the same hash. */
  readonly hash: string
}

/** The limits that rules put on a query. */
export interface Restrictions {
  /** Added to the filter; undefined when only referenced records, or fields, are limited. */
  readonly own?: Expression
  /** Identifies the restrictions; part of the query's hash, so that a cursor is void when they change. */
  readonly key: string
}

/** Parses a query. Throws Invalid naming every path that is wrong. */
export function parseQuery(
  raw: RawQuery,
  fieldNames: FieldNames,
  variables: Variables,
  restrictions?: Restrictions,
  checksSlugs = false,
): Query {
  const list = new ErrorList()
  const given = parseFilter(raw.filter, { fieldNames, variables, list, checksSlugs })
  const left = raw.without?.length
    ? [parseFilter({ id: { _nin: raw.without } }, { fieldNames, variables, list, checksSlugs })]
    : []
  const { table, readable } = fieldNames
  const { hears } = fieldNames
  const search = raw.search?.trim() ? searchTerms(table, raw.search, readable?.get(table.name), hears) : undefined
  const aggregate = parseAggregate(raw, fieldNames, list, variables.timeZone)
  const having = aggregate && parseHaving(raw, aggregate, { fieldNames, variables, list })
  const groups = aggregate && readGroupOrder(raw.sort ?? [], aggregate)
  const sorted = parseSort(groups?.rest ?? raw.sort ?? undefined, fieldNames, list)
  const order = search && !raw.sort?.length ? byRank(search) : sorted
  const selection = parseSelection(raw.fields ?? undefined, raw.expand ?? undefined, fieldNames, list)
  if (list.any) throw new Invalid(list.problems)
  const hash = hashOfQuery([
    table.name,
    raw.filter ?? null,
    raw.search?.trim() ?? '',
    order.map(({ field, descending }) => [field.path, descending]),
    ...(restrictions ? [restrictions.key] : []),
  ])
  return {
    filter:
      restrictions?.own || left.length > 0
        ? all([given, ...(restrictions?.own ? [restrictions.own] : []), ...left])
        : given,
    isRestricted: restrictions?.own !== undefined,
    order,
    selection,
    hash,
    ...(search && { search }),
    ...(aggregate && groups && { aggregate: { ...aggregate, ...(having && { having }), order: groups.order } }),
  }
}
