import type { Clock } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Sequence } from '../../store/sequence.ts'
import type { Store } from '../../store/store.ts'
import type { Table } from '../../tables/service.ts'
import type { Reader } from '../access/reader.ts'
import { referencesIn, type Related } from '../access/related.ts'
import type { Row } from '../access/row.ts'
import type { Expression } from '../grammar/expression-types.ts'
import type { SearchTerms } from '../grammar/search-terms.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import { compilePredicate } from './compile-predicate.ts'
import type { CursorPosition } from './cursor.ts'
import type { SortKey } from './order.ts'
import { findSources, type Sources } from './sources.ts'

/** Counts of records by value, for some fields; undefined for the others. */
export interface ValueCounters {
  count(
    tenant: Tenant,
    table: Table,
    field: string,
    value: string | number | boolean | null,
  ): Promise<number | undefined>
  /** Every value of a field with its count. */
  all?(
    tenant: Tenant,
    table: Table,
    field: string,
  ): Promise<readonly { readonly value: string | number | boolean | null; readonly count: number }[] | undefined>
}

/** Finds records by words, the last one a prefix; undefined when the records themselves must be searched. */
export interface SearchIndex {
  find(
    tenant: Tenant,
    table: Table,
    words: readonly string[],
  ): Promise<readonly { readonly id: number; readonly score: number }[] | undefined>
}

export interface QueryDependencies {
  readonly store: Store
  readonly counters?: ValueCounters
  readonly searchIndex?: SearchIndex
  readonly limits?: Limits
  /** To check recently changed records that the search index may lack. Default: they are not checked. */
  readonly clock?: Pick<Clock, 'now'>
}

/** One page to read of one list. */
export interface PageRequest {
  readonly filter: Expression
  readonly order: readonly SortKey[]
  readonly search?: SearchTerms
  readonly offset: number
  readonly limit: number
  /** The position of a cursor; replaces `offset`. */
  readonly position?: CursorPosition
  readonly wantsTotal: boolean
  /** Allows reading any number of records: for jobs, never for a request. */
  readonly isUnbounded?: boolean
}

/** Everything that the planner and its plans need for one page. */
export interface PlanContext extends PageRequest {
  readonly dependencies: QueryDependencies
  readonly limits: Limits
  readonly tenant: Tenant
  readonly table: Table
  readonly reader: Reader
  readonly related: Related
  readonly sources: Sources
  readonly sequence: () => Promise<Sequence>
  /** The given records, with undefined in place of those that do not belong to the list. */
  check(rows: readonly (Row | undefined)[]): Promise<readonly (Row | undefined)[]>
}

export function openPlanContext(
  dependencies: QueryDependencies,
  tenant: Tenant,
  table: Table,
  request: PageRequest,
  parts: { reader: Reader; related: Related; planned: Expression; sequence: () => Promise<Sequence> },
): PlanContext {
  const passes = compilePredicate(request.filter)
  const references = referencesIn(request.filter, request.order)
  return {
    ...request,
    ...parts,
    dependencies,
    limits: dependencies.limits ?? defaultLimits,
    tenant,
    table,
    sources: findSources(parts.planned),
    async check(rows) {
      if (references.length > 0) {
        await parts.related.attach(
          rows.filter((row) => row !== undefined),
          references,
        )
      }
      return rows.map((row) => (row && passes(row) && (request.search?.matches(row) ?? true) ? row : undefined))
    },
  }
}
