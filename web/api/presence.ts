import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, Unreachable } from './client.ts'
import { queryClient } from './query-client.ts'

type Present = Schemas['PresenceAnswer']['present'][number]

/** How often it is asked who is here; an answer without news costs the service next to nothing. */
const askEveryMs = 8000
const tags = new Map<string, string>()

const addressOf = (model: string, id: number): string => `/api/e/${encodeURIComponent(model)}/${id}/presence`

/** Who looks at a record now. */
export const presenceQuery = (model: string, id: number) =>
  queryOptions({
    queryKey: ['presence', model, id],
    queryFn: async ({ signal }): Promise<readonly Present[]> => {
      const address = addressOf(model, id)
      const before = queryClient.getQueryData<readonly Present[]>(['presence', model, id])
      const tag = before && tags.get(address)
      const headers = { 'x-requested-by': 'app', ...(tag !== undefined && { 'if-none-match': tag }) }
      const answer = await fetch(address, { headers, signal })
      if (answer.status === 304) return before ?? []
      if (!answer.ok) throw new Unreachable(`Who is here was answered ${answer.status}.`)
      tags.set(address, answer.headers.get('etag') ?? '')
      return ((await answer.json()) as { readonly data: { readonly present: readonly Present[] } }).data.present
    },
    refetchInterval: askEveryMs,
    retry: false,
  })

/** Says that the reader looks at a record, and keeps who else does. A failure is no reason to disturb: it is said again. */
export async function enterRecord(model: string, id: number, isEditing: boolean): Promise<void> {
  try {
    const { data } = await api.put('/api/e/{model}/{id}/presence', {
      params: { path: { model, id } },
      body: { is_editing: isEditing },
    })
    queryClient.setQueryData<readonly Present[]>(['presence', model, id], data.present)
    tags.delete(addressOf(model, id))
  } catch {
    // The next poll says what is wrong, if anything still is.
  }
}

/** Says that the reader has left; also while the page goes away. */
export const leaveRecord = (model: string, id: number): void => {
  const headers = { 'x-requested-by': 'app' }
  void fetch(addressOf(model, id), { method: 'DELETE', keepalive: true, headers }).catch(() => undefined)
}
