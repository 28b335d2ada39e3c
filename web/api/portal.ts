import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import type { Filter, RecordData } from './records.ts'
import { useRequestKey } from './request-key.ts'
import type { Field } from './tables.ts'

export type OfferedItem = Schemas['ListOfferedItemsData']
export type RequestHead = Schemas['ListPortalRequestsData']
export type PortalRequest = Schemas['SendPortalRequestData']
export type Approval = Schemas['ListPortalApprovalsData']
export type ArticleHead = Schemas['ListPortalArticlesData']
export type Article = Schemas['GetPortalArticleData']
export type Suggestions = Schemas['SearchSuggestionsData']

const perPage = 100

/** What the reader may ask for, in the order of the company. */
export const itemsQuery = queryOptions({
  queryKey: ['portal', 'items'],
  queryFn: async ({ signal }): Promise<readonly OfferedItem[]> => {
    const items: OfferedItem[] = []
    for (let page = 1; ; page += 1) {
      const query = { page, per_page: perPage }
      const { data } = await api.get('/api/portal/items', { params: { query }, signal })
      items.push(...data)
      if (data.length < perPage) return items
    }
  },
  staleTime: 60_000,
})

/** A field of the form of an item, with the conditions that the form follows while somebody types. */
export interface ItemField extends Field {
  readonly visible: boolean
  readonly visible_if?: Filter
  readonly required_if?: Filter
  readonly readonly_if?: Filter
}

export interface ItemForm {
  readonly label: string
  readonly fields: readonly ItemField[]
  /** What the form begins with. */
  readonly data: RecordData
}

/** What the form of an item asks for. */
export const itemFormQuery = (id: number) =>
  queryOptions({
    queryKey: ['portal', 'form', id],
    queryFn: async ({ signal }): Promise<ItemForm> => {
      const { data } = await api.get('/api/portal/items/{id}/form', { params: { path: { id } }, signal })
      return {
        label: data.label,
        fields: data.fields.map(({ settings, ...field }) => ({ ...settings, ...field })),
        data: data.data,
      }
    },
    staleTime: 60_000,
  })

/** The most that suggestions are made for. */
const maxCharacters = 500

/** Articles and items for what somebody types. */
export const suggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: ['portal', 'suggestions', text],
    queryFn: async ({ signal }): Promise<Suggestions> =>
      (await api.get('/api/portal/suggest', { params: { query: { text: text.slice(-maxCharacters) } }, signal })).data,
    enabled: text.length > 2,
    staleTime: 60_000,
    placeholderData: text.length > 2 ? keepPreviousData : undefined,
  })

export const articleQuery = (id: number) =>
  queryOptions({
    queryKey: ['portal', 'article', id],
    queryFn: async ({ signal }): Promise<Article> =>
      (await api.get('/api/portal/articles/{id}', { params: { path: { id } }, signal })).data,
  })

/** Says whether an article helped. */
export function useVote(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (helpful: boolean) =>
      api.post('/api/portal/articles/{id}/vote', { params: { path: { id } }, body: { helpful } }),
    onSuccess: ({ data }) => client.setQueryData(articleQuery(id).queryKey, data),
  })
}

export interface RequestsQuery {
  readonly state?: 'open' | 'closed'
  readonly search?: string
}

/** The reader's requests, newest first. */
export const requestsQuery = ({ state, search }: RequestsQuery, rows = 25) =>
  infiniteQueryOptions({
    queryKey: ['portal', 'requests', { state, search }, rows],
    queryFn: async ({ pageParam: page, signal }) =>
      api.get('/api/portal/requests', { params: { query: { page, per_page: rows, state, search } }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }, _pages, page) => (page * rows < meta.total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 5000,
    // What the team does appears by itself.
    refetchInterval: 30_000,
  })

export const requestQuery = (id: number) =>
  queryOptions({
    queryKey: ['portal', 'request', id],
    queryFn: async ({ signal }): Promise<PortalRequest> =>
      (await api.get('/api/portal/requests/{id}', { params: { path: { id } }, signal })).data,
    staleTime: 5000,
    refetchInterval: 15_000,
  })

/** Where a file of a request is downloaded from, for some minutes. */
export const requestFileQuery = (id: number, path: string) =>
  queryOptions({
    queryKey: ['portal', 'file', id, path],
    queryFn: async ({ signal }) =>
      (await api.get('/api/portal/requests/{id}/files', { params: { path: { id }, query: { path } }, signal })).data,
    // The address expires after 15 minutes.
    staleTime: 10 * 60_000,
  })

/** Keeps what a change of a request answered, and has the lists read anew. */
function useKeepRequest() {
  const client = useQueryClient()
  return ({ data }: { readonly data: PortalRequest }) => {
    client.setQueryData(requestQuery(data.id).queryKey, data)
    void client.invalidateQueries({ queryKey: ['portal', 'requests'] })
  }
}

export interface NewRequest {
  readonly item: number
  readonly data: RecordData
  readonly files: readonly string[]
}

export function useSendRequest() {
  const keep = useKeepRequest()
  const { keyOf, done } = useRequestKey()
  return useMutation({
    mutationFn({ item, data, files }: NewRequest) {
      const body = { item_id: item, data, files: [...files] }
      return api.post('/api/portal/requests', { params: { header: { 'Idempotency-Key': keyOf(body) } }, body })
    },
    onSuccess(answer) {
      done()
      keep(answer)
    },
  })
}

export function useReply(id: number) {
  const keep = useKeepRequest()
  const { keyOf, done } = useRequestKey()
  return useMutation({
    mutationFn({ body, files }: { body: string; files: readonly string[] }) {
      const comment = { body, attachments: [...files] }
      const header = { 'Idempotency-Key': keyOf(comment) }
      return api.post('/api/portal/requests/{id}/comments', { params: { path: { id }, header }, body: comment })
    },
    onSuccess(answer) {
      done()
      keep(answer)
    },
  })
}

export function useReopen(id: number) {
  const keep = useKeepRequest()
  return useMutation({
    mutationFn: () => api.post('/api/portal/requests/{id}/reopen', { params: { path: { id } } }),
    onSuccess: keep,
  })
}

export function useRate(id: number) {
  const keep = useKeepRequest()
  return useMutation({
    mutationFn: (body: Schemas['SetPortalRatingBody']) =>
      api.post('/api/portal/requests/{id}/rating', { params: { path: { id } }, body }),
    onSuccess: keep,
  })
}

export function useAddPerson(id: number) {
  const keep = useKeepRequest()
  return useMutation({
    mutationFn: (person: number) =>
      api.post('/api/portal/requests/{id}/watchers', { params: { path: { id } }, body: { user_ids: [person] } }),
    onSuccess: keep,
  })
}

export function useRemovePerson(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (person: number) =>
      api.delete('/api/portal/requests/{id}/watchers/{user_id}', { params: { path: { id, user_id: person } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: requestQuery(id).queryKey }),
  })
}

/** The reader leaves a request of somebody else. */
export function useLeave(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (own: number) =>
      api.delete('/api/portal/requests/{id}/watchers/{user_id}', { params: { path: { id, user_id: own } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['portal', 'requests'] }),
  })
}

/** What waits for the reader's decision. */
export const approvalsQuery = queryOptions({
  queryKey: ['portal', 'approvals'],
  queryFn: async ({ signal }): Promise<readonly Approval[]> =>
    (await api.get('/api/portal/approvals', { params: { query: { per_page: perPage } }, signal })).data,
  staleTime: 5000,
  refetchInterval: 30_000,
})

export interface Decision {
  readonly outcome: string
  readonly data: RecordData
}

/** Decides; the task leaves the list at once. */
export function useDecide(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ outcome, data }: Decision) =>
      api.post('/api/sys/process-tasks/{id}/complete', { params: { path: { id } }, body: { outcome, data } }),
    onSuccess: () =>
      client.setQueryData(approvalsQuery.queryKey, (approvals) => approvals?.filter((one) => one.id !== id)),
  })
}

/** Tells the requester something about what waits for a decision. */
export const useCommentOnApproval = (id: number) =>
  useMutation({
    mutationFn: (body: string) =>
      api.post('/api/portal/approvals/{id}/comments', { params: { path: { id } }, body: { body } }),
  })
