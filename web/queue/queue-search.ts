import type { Filter, ListQuery } from '../api/records.ts'
import type { View, ViewInput } from '../api/views.ts'

/** What the address of a list says: a view is a link. */
export interface QueueSearch {
  readonly filter?: Filter
  readonly q?: string
  readonly sort?: readonly string[]
  readonly columns?: readonly string[]
  readonly group?: string
  /** A saved view of the service; 0 for none, where the table has a default one. */
  readonly view?: number
  /** The other members say what is shown, instead of the view that they began with. */
  readonly changed?: true
}

/** The id that stands for no view. */
export const noView = 0

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') && value.length > 0 ? value : undefined

/** Reads an address; what is not understood is left out. */
export function readQueueSearch(given: Record<string, unknown>): QueueSearch {
  const { filter, q, group, view, changed } = given
  const [sort, columns] = [texts(given['sort']), texts(given['columns'])]
  return {
    ...(typeof filter === 'object' && filter !== null && !Array.isArray(filter) && { filter: filter as Filter }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(sort && { sort }),
    ...(columns && { columns }),
    ...(typeof group === 'string' && group !== '' && { group }),
    ...(typeof view === 'number' && { view }),
    ...(changed === true && { changed }),
  }
}

/** What the list asks the service for. `view`: what is shown is that view, from which things are snoozed. */
export const listQueryOf = (
  { filter, q, sort }: QueueSearch,
  expand: readonly string[],
  view: number | undefined,
): ListQuery => ({
  ...(filter && { filter }),
  ...(q !== undefined && { search: q }),
  ...(sort && { sort }),
  ...(expand.length > 0 && { expand }),
  ...(view !== undefined && { view }),
})

/** What a list shows, and the view that it comes from. */
export interface Shown {
  readonly view: View | undefined
  readonly list: QueueSearch
  /** Whether the list differs from its view, or from the plain one. */
  readonly isChanged: boolean
}

/** What an address shows: its view, the default view where it says nothing, or what it says itself. */
export function shownBy(search: QueueSearch, views: readonly View[], userId: number): Shown {
  const { view: id, changed, ...own } = search
  const isPlain = Object.keys(own).length === 0
  const view =
    id === undefined && isPlain
      ? (views.find(({ is_default, owner }) => is_default && owner === userId) ?? views.find((one) => one.is_default))
      : views.find((one) => one.id === id)
  if (view && !changed) return { view, list: searchOf(view), isChanged: false }
  return { view, list: own, isChanged: view ? true : !isPlain }
}

/** What a view shows, in the words of an address. */
const searchOf = ({ filter, search, sort, columns, group_by: groups }: View): QueueSearch =>
  readQueueSearch({ filter, q: search, sort, columns, group: groups?.[0] })

/** What a list shows, as a view keeps it. */
export const viewInputOf = ({ filter, q, sort, columns, group }: QueueSearch): Omit<ViewInput, 'name'> => ({
  filter: filter ? { ...filter } : null,
  search: q ?? null,
  sort: sort ? [...sort] : null,
  columns: columns ? [...columns] : null,
  group_by: group === undefined ? null : [group],
})
