import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export type Person = Schemas['PickedPerson']

/** People of the company whose name has the words. */
export const peopleQuery = (search: string) =>
  queryOptions({
    queryKey: ['people', 'search', search],
    queryFn: async ({ signal }): Promise<readonly Person[]> =>
      (await api.get('/api/users', { params: { query: { search: search || undefined, per_page: 20 } }, signal })).data,
    staleTime: 60_000,
  })

/** Ids that screens asked for in the same moment: they are read in one request. */
let asked: { readonly ids: Set<number>; readonly answer: Promise<ReadonlyMap<number, Person>> } | undefined

async function readPerson(id: number): Promise<Person | null> {
  if (!asked) {
    const ids = new Set<number>()
    const answer = new Promise<void>((resolve) => setTimeout(resolve, 10)).then(async () => {
      asked = undefined
      const { data } = await api.get('/api/users', { params: { query: { ids: [...ids].join(','), per_page: 1000 } } })
      return new Map(data.map((person) => [person.id, person]))
    })
    asked = { ids, answer }
  }
  asked.ids.add(id)
  return (await asked.answer).get(id) ?? null
}

/** A person by id; null for one who has left. */
export const personQuery = (id: number) =>
  queryOptions({ queryKey: ['people', 'one', id], queryFn: () => readPerson(id), staleTime: 10 * 60_000 })

/** The name of a person; undefined while it is read. */
export const usePersonName = (id: number | null | undefined): string | undefined => {
  const { data } = useQuery({ ...personQuery(id ?? 0), enabled: id !== null && id !== undefined })
  return data === null ? `#${id}` : data?.name
}
