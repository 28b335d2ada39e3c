import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export type Snippet = Schemas['ListSnippetsData']
export type FilledSnippet = Schemas['FilledSnippet']

/** So many are offered at once. */
const offered = 8

/** The snippets that the caller may insert. */
export const snippetsQuery = queryOptions({
  queryKey: ['snippets'],
  queryFn: async ({ signal }): Promise<readonly Snippet[]> => {
    const found: Snippet[] = []
    for (let page = 1; ; page += 1) {
      const query = { per_page: 100, page, sort: 'name' }
      const { data, meta } = await api.get('/api/sys/snippets', { params: { query }, signal })
      found.push(...data)
      if (data.length === 0 || found.length >= meta.total) return found
    }
  },
  staleTime: 5 * 60_000,
})

/** A snippet with the values of a record. */
export const fillSnippet = async (model: string, id: number, snippet: number): Promise<FilledSnippet> =>
  (await api.get('/api/e/{model}/{id}/snippets/{snippet_id}', { params: { path: { model, id, snippet_id: snippet } } }))
    .data

/** Those of a table whose name or text has all the words, the ones whose name has them first. */
export function snippetsFor(all: readonly Snippet[], model: string, search: string): readonly Snippet[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const fitting = all.filter(
    (one) => one.problem === null && (one.model === null || one.model === model) && has(`${one.name} ${one.body}`),
  )
  return [...fitting.filter(({ name }) => has(name)), ...fitting.filter(({ name }) => !has(name))].slice(0, offered)
}
