import type { Filter, ListQuery } from '../api/records.ts'

/** What the address of a list says: a view is a link. */
export interface QueueSearch {
  readonly filter?: Filter
  readonly q?: string
  readonly sort?: readonly string[]
  readonly columns?: readonly string[]
  readonly group?: string
  /** A saved view of the service; what stands beside it changes it. */
  readonly view?: number
}

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') && value.length > 0 ? value : undefined

/** Reads an address; what is not understood is left out. */
export function readQueueSearch(given: Record<string, unknown>): QueueSearch {
  const { filter, q, group, view } = given
  const [sort, columns] = [texts(given['sort']), texts(given['columns'])]
  return {
    ...(typeof filter === 'object' && filter !== null && !Array.isArray(filter) && { filter: filter as Filter }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(sort && { sort }),
    ...(columns && { columns }),
    ...(typeof group === 'string' && group !== '' && { group }),
    ...(typeof view === 'number' && { view }),
  }
}

/** What the list asks the service for. */
export const listQueryOf = ({ filter, q, sort, view }: QueueSearch, expand: readonly string[]): ListQuery => ({
  ...(filter && { filter }),
  ...(q !== undefined && { search: q }),
  ...(sort && { sort }),
  ...(expand.length > 0 && { expand }),
  ...(view !== undefined && { view }),
})
