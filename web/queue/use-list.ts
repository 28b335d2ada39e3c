import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { failureOf } from '../api/failures.ts'
import { groupsQuery, type ListQuery, type Row, windowQuery, windowSize } from '../api/records.ts'
import { andAlso } from './conditions.ts'
import { lengthOf, type Place, placeAt, type Section, sectionsOf } from './layout.ts'

/** A line of a list: the head of a group, a record, or a record that is still being read. */
export interface Line extends Place {
  readonly record: Row | undefined
}

export interface List {
  readonly total: number | undefined
  readonly length: number
  readonly error: unknown
  readonly isPending: boolean
  /** Whether what is shown belongs to another question, whose answer is on its way. */
  readonly isStale: boolean
  readonly lineAt: (index: number) => Line | undefined
  readonly retry: () => void
  /** Rises whenever lines were read anew. */
  readonly updatedAt: number
}

/**
 * The lines of a list, of which only the windows around `first` to `last` are read. The total is exact from the first
 * window on.
 */
export function useList(
  model: string,
  query: ListQuery,
  group: string | undefined,
  { first, last, closed }: { readonly first: number; readonly last: number; readonly closed: ReadonlySet<string> },
): List {
  const head = useQuery({ ...windowQuery(model, query, 0), placeholderData: keepPreviousData })
  const groups = useQuery({ ...groupsQuery(model, query, group ?? ''), enabled: group !== undefined })
  const sections: readonly Section[] =
    group === undefined ? [{ start: 0, rows: head.data?.total ?? 0 }] : sectionsOf(groups.data ?? [], closed)

  const queryOf = ({ group: one }: Section): ListQuery =>
    one === undefined || group === undefined
      ? query
      : {
          ...query,
          filter: andAlso(query.filter, { [group]: one.value === null ? { _null: true } : { _eq: one.value } }),
        }
  const wanted = windowsOf(sections, first, last)
  const windows = useQueries({
    queries: wanted.map(({ section, index }) => ({
      ...windowQuery(model, queryOf(section), index),
      placeholderData: keepPreviousData,
    })),
  })

  return {
    total: head.data?.total,
    length: lengthOf(sections),
    // What was read stays on the screen when reading it anew fails.
    error: failureOf(head) ?? (group === undefined ? null : failureOf(groups)),
    isPending: head.isPending || (group !== undefined && groups.isPending),
    isStale: head.isPlaceholderData,
    lineAt(index) {
      const place = placeAt(sections, index)
      if (!place) return undefined
      const at = wanted.findIndex(
        (one) => one.section.start === place.section.start && one.index === Math.floor(place.row / windowSize),
      )
      return { ...place, record: place.row < 0 ? undefined : windows[at]?.data?.rows[place.row % windowSize] }
    },
    updatedAt: Math.max(head.dataUpdatedAt, ...windows.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    retry: () => void Promise.all([head.refetch(), group !== undefined && groups.refetch()]),
  }
}

/** The windows in which the lines of a range are. */
function windowsOf(sections: readonly Section[], first: number, last: number) {
  const wanted = new Map<string, { readonly section: Section; readonly index: number }>()
  for (let at = first; at <= last; at++) {
    const place = placeAt(sections, at)
    if (!place || place.row < 0) continue
    const index = Math.floor(place.row / windowSize)
    wanted.set(`${place.section.start} ${index}`, { section: place.section, index })
  }
  return [...wanted.values()]
}
