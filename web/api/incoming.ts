import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import type { EntityRecord, RecordData, Row } from './records.ts'
import { type Field, fieldsOf, tableQuery } from './tables.ts'

/** A message that came in, whole. */
export type ReceivedMessage = Schemas['MessageAnswer']

/** The messages that no rule took, newest first; with `isAll` those that were dealt with too. */
export const receivedQuery = (isAll: boolean) =>
  infiniteQueryOptions({
    queryKey: ['incoming', 'list', isAll],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/sys/incoming_messages', {
        params: {
          query: { per_page: 25, ...(!isAll && { is_processed: false }), ...(pageParam && { cursor: pageParam }) },
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    refetchInterval: 10_000,
  })

/** One message, which may stand in no list any more. */
export const oneReceivedQuery = (id: number) =>
  queryOptions({
    queryKey: ['incoming', 'one', id],
    queryFn: async ({ signal }): Promise<ReceivedMessage> =>
      (await api.get('/api/sys/incoming_messages/{id}', { params: { path: { id } }, signal })).data,
  })

/** A rule that people apply by a button. */
export type ButtonRule = Pick<
  Schemas['ListedIncomingAction'],
  'id' | 'name' | 'channel' | 'target_model' | 'button_label' | 'button_color'
>

/** The buttons that the caller may press. */
export const buttonRulesQuery = queryOptions({
  queryKey: ['button-rules'],
  queryFn: async ({ signal }): Promise<readonly ButtonRule[]> => {
    const { data } = await api.get('/api/sys/incoming-actions', { params: { query: { per_page: 100 } }, signal })
    // Administrators get every rule.
    return data.filter((rule) => !('is_automatic' in rule) || (!rule.is_automatic && rule.is_active))
  },
  staleTime: 5 * 60_000,
})

/** What a rule would make of a message; nothing happens. */
export const rulePreviewQuery = (rule: number, message: number) =>
  queryOptions({
    queryKey: ['incoming', 'preview', rule, message],
    queryFn: ({ signal }) =>
      api.post('/api/sys/incoming-actions/{action_id}/prepare', {
        params: { path: { action_id: rule } },
        body: { message_id: message },
        signal,
      }),
    staleTime: 0,
  })

/** Everything that a message changes when it is dealt with. */
function useDealtWith() {
  const client = useQueryClient()
  // Not waited for: what was dealt with leaves the screen, and what is said of it comes first.
  return (): void => {
    for (const queryKey of [['incoming', 'list'], ['incoming', 'one'], ['records']])
      void client.invalidateQueries({ queryKey })
  }
}

export function useRunRule() {
  const onSuccess = useDealtWith()
  return useMutation({
    mutationFn: async ({ rule, message }: { rule: number; message: number }): Promise<EntityRecord> =>
      (
        await api.post('/api/sys/incoming-actions/{id}/execute', {
          params: { path: { id: rule } },
          body: { message_id: message },
        })
      ).data as EntityRecord,
    onSuccess,
  })
}

export function useMakeRecord() {
  const onSuccess = useDealtWith()
  return useMutation({
    mutationFn: async (given: { message: number; model: string; data: RecordData }): Promise<EntityRecord> =>
      (
        await api.post('/api/sys/incoming_messages/{id}/records', {
          params: { path: { id: given.message } },
          body: { model: given.model, data: given.data },
        })
      ).data as EntityRecord,
    onSuccess,
  })
}

/** Sets a message aside, or takes that back. */
export function useSetAside() {
  const onSuccess = useDealtWith()
  return useMutation({
    mutationFn: ({ message, isAside }: { message: number; isAside: boolean }) =>
      api.post(isAside ? '/api/sys/incoming_messages/{id}/dismiss' : '/api/sys/incoming_messages/{id}/reopen', {
        params: { path: { id: message } },
      }),
    onSuccess,
  })
}

const addressFieldOf = (fields: readonly Field[]): Field | undefined =>
  fields.find(({ type, name }) => type === 'email' || (type === 'text' && name === 'email'))

/** The record of a table that has the address of a sender; null for none, or where several have it. */
export const senderQuery = (target: string, address: string) =>
  queryOptions({
    queryKey: ['records', target, 'of-address', address],
    queryFn: async ({ signal, client }): Promise<number | null> => {
      const field = addressFieldOf(fieldsOf(await client.ensureQueryData(tableQuery(target))))
      if (!field) return null
      const answer = await api.post('/api/e/{model}/list-server', {
        params: { path: { model: target } },
        body: { filter: { [field.name]: { _in: [...new Set([address, address.toLowerCase()])] } }, per_page: 2 },
        signal,
      })
      const [first, ...others] = answer.data as readonly Row[]
      return first && others.length === 0 ? first.id : null
    },
    retry: false,
  })

/** What a message says of a new record: its subject, its text, its sender. */
export function fieldsOfMessage(
  fields: readonly Field[],
  titleField: string | null | undefined,
  message: ReceivedMessage,
) {
  const { subject, body, from_name: name, from_email: email } = message
  const firstLine = body.trim().split('\n', 1)[0] ?? ''
  const values = new Map<string, unknown>()
  const give = (field: Field | undefined, value: string | null): void => {
    if (field && value && !values.has(field.name)) values.set(field.name, value.slice(0, field.max_length))
  }
  give(addressFieldOf(fields), email)
  const isAboutSender = values.size > 0 && fields.every(({ type }) => type !== 'textarea' && type !== 'state_model')
  give(
    fields.find((field) => field.name === titleField && field.type === 'text'),
    isAboutSender ? name : subject || firstLine,
  )
  give(
    fields.find(({ type }) => type === 'textarea'),
    body.trim(),
  )
  return Object.fromEntries(values)
}
