import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export type ReplyOptions = Schemas['ReplyOptions']
export type FilledTemplate = Schemas['FilledTemplate']
export type Mentionable = Schemas['MentionablePeople']['people'][number]

/** How a record can be answered: whom a mail or a chat message reaches, and the texts for it. */
export const replyOptionsQuery = (model: string, id: number) =>
  queryOptions({
    queryKey: ['about', model, id, 'reply-options'],
    queryFn: async ({ signal }): Promise<ReplyOptions> =>
      (await api.get('/api/e/{model}/{id}/reply-options', { params: { path: { model, id } }, signal })).data,
    staleTime: 60_000,
  })

/** Fills a text with the values of a record. */
export const useFillTemplate = (model: string, id: number) =>
  useMutation({
    mutationFn: async (template: number): Promise<FilledTemplate> =>
      (
        await api.get('/api/e/{model}/{id}/reply-templates/{template_id}', {
          params: { path: { model, id, template_id: template } },
        })
      ).data,
  })

/** People who may read a comment and whose name has the words. */
export const mentionableQuery = (model: string, id: number, search: string, isInternal: boolean) =>
  queryOptions({
    queryKey: ['people', 'mentionable', model, id, isInternal, search],
    queryFn: async ({ signal }): Promise<readonly Mentionable[]> => {
      const query = { ...(search !== '' && { search }), ...(isInternal && { is_internal: 'true' as const }) }
      const path = { model, id }
      return (await api.get('/api/e/{model}/{id}/mentionable', { params: { path, query }, signal })).data.people
    },
    staleTime: 60_000,
  })

/** Sends a reply again that failed. */
export function useRetryReply(model: string, id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (delivery: number) =>
      api.post('/api/e/{model}/{id}/deliveries/{delivery_id}/retry', {
        params: { path: { model, id, delivery_id: delivery } },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ['about', model, id, 'timeline'] }),
  })
}
