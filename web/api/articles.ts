import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Filter } from './records.ts'

export type ArticleState = 'draft' | 'published'

/** The list grammar for the articles that a list shows. */
export const articlesFilter = (state: ArticleState | undefined, isMine: boolean): Filter | undefined => {
  const conditions: Filter[] = [
    ...(state ? [{ state: { _eq: state } }] : []),
    ...(isMine ? [{ created_by: { _eq: '$CURRENT_USER' } }] : []),
  ]
  return conditions.length > 0 ? { _and: conditions } : undefined
}

/** The names of the roles of the company, for those who may list them. */
export const roleNamesQuery = queryOptions({
  queryKey: ['roles', 'names'],
  queryFn: async ({ signal }): Promise<readonly string[]> =>
    (await api.get('/api/sys/roles', { params: { query: { per_page: 100 } }, signal })).data.map(({ name }) => name),
  staleTime: 5 * 60_000,
  retry: false,
})
