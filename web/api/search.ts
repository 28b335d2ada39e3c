import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export type FoundInTable = Schemas['FoundInTable']

/** Records of each table that are shown. */
const shownRecords = 5

/** The best records of every table that the caller may read, for the words. */
export const searchQuery = (words: string) =>
  queryOptions({
    queryKey: ['search', words],
    queryFn: async ({ signal }): Promise<readonly FoundInTable[]> =>
      (await api.get('/api/search', { params: { query: { q: words, limit: shownRecords } }, signal })).data.filter(
        ({ records }) => records.length > 0,
      ),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
