import { filterQueries } from './filter-queries.ts'
import { groupAndSearchQueries } from './group-and-search-queries.ts'
import type { ListQuery } from './list-query.ts'
import { pageQueries } from './page-queries.ts'

/** The named queries, by their numbers. */
export const listQueries: readonly ListQuery[] = [...filterQueries, ...groupAndSearchQueries, ...pageQueries]

export interface ListGoal {
  /** Of the service, for one request of a warm process. */
  readonly cpuMs: number
  /** At 16 connections. */
  readonly perSecond?: number
}

/** Tables beyond this size have the goals of a million records. */
const largeTable = 200_000

export function listGoal({ kind }: ListQuery, records: number): ListGoal {
  if (records > largeTable) return { cpuMs: kind === 'values' ? 20 : 60 }
  return kind === 'search' ? { cpuMs: 20 } : { cpuMs: 5, perSecond: 300 }
}
