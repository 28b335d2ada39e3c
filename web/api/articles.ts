import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import type { Filter } from './records.ts'

/** The built-in table of articles. */
export const articlesTable = 'sys_articles'

export type ArticleState = 'draft' | 'published'

/** The list grammar for the articles that a list shows. */
export const articlesFilter = (state: ArticleState | undefined, isMine: boolean): Filter | undefined => {
  const conditions: Filter[] = [
    ...(state ? [{ state: { _eq: state } }] : []),
    ...(isMine ? [{ created_by: { _eq: '$CURRENT_USER' } }] : []),
  ]
  return conditions.length > 0 ? { _and: conditions } : undefined
}

export type ArticleHead = Schemas['ListPortalArticlesData']

const minCharacters = 4
const maxCharacters = 500

/** The published articles that may answer a text, the best first. */
export const suggestedArticlesQuery = (text: string) =>
  queryOptions({
    queryKey: ['articles', 'suggested', text],
    queryFn: async ({ signal }): Promise<readonly ArticleHead[]> =>
      (await api.get('/api/portal/suggest', { params: { query: { text: text.slice(0, maxCharacters) } }, signal })).data
        .articles,
    enabled: text.trim().length >= minCharacters,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** A published article, whole. */
export const articleQuery = (id: number) =>
  queryOptions({
    queryKey: ['articles', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/portal/articles/{id}', { params: { path: { id } }, signal })).data,
    staleTime: 60_000,
  })

/** The names of the roles of the company, for those who may list them. */
export const roleNamesQuery = queryOptions({
  queryKey: ['roles', 'names'],
  queryFn: async ({ signal }): Promise<readonly string[]> =>
    (await api.get('/api/sys/roles', { params: { query: { per_page: 100 } }, signal })).data.map(({ name }) => name),
  staleTime: 5 * 60_000,
  retry: false,
})
