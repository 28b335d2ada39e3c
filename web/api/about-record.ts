import {
  type InfiniteData,
  type Query,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { uploadFile } from './files.ts'
import { useRequestKey } from './request-key.ts'

export type Comment = Schemas['CommentAnswer']
export type TimelineEntry = Schemas['TimelineEntry']
export type Task = Schemas['TaskAnswer']
/** Something that was sent about a record; whoever may not see to whom has no recipient. */
export type Delivery = Pick<
  Schemas['DeliveryHead'],
  'id' | 'channel_type' | 'status' | 'last_error' | 'next_attempt_at' | 'source'
> & { readonly recipient: string | null }

/** Somebody whom a mail names. */
interface NamedAddress {
  readonly name: string | null
  readonly email: string | null
}

/** A message as a timeline has it: less of it for those who may not read all messages. */
export type IncomingMessage = Pick<
  Schemas['MessageAnswer'],
  'id' | 'channel' | 'from_name' | 'from_email' | 'subject' | 'body' | 'attachments'
> & {
  readonly payload?: Readonly<Record<string, unknown>>
  readonly html?: string
  /** Of a mail: whom it names besides its sender. */
  readonly to?: readonly NamedAddress[]
  readonly cc?: readonly NamedAddress[]
  /** What it says without the history that it quotes. */
  readonly body_new?: string
  readonly invitation?: MailInvitation
  /** `signed`: nobody has verified it; `encrypted`: it cannot be read here. */
  readonly protection?: 'signed' | 'encrypted'
  /** What was cut for its size. */
  readonly truncated?: readonly ('headers' | 'body' | 'html' | 'parts')[]
  /** It is for the team alone. */
  readonly is_internal?: true
}

/** The meeting that a mail brings. */
export interface MailInvitation {
  readonly method: string | null
  readonly summary: string
  /** In the time zone of the company. */
  readonly when: string | null
  readonly location: string | null
  readonly organizer: string | null
  readonly repeats: boolean
}

/** Everything that follows a record begins so: a change of the record makes it stale. */
const about = (model: string, id: number, what: string) => ['about', model, id, what] as const

/** What happened to a record, newest first; of some kinds alone. */
export const timelineQuery = (model: string, id: number, kinds?: readonly TimelineEntry['kind'][]) =>
  infiniteQueryOptions({
    queryKey: [...about(model, id, 'timeline'), kinds?.join() ?? ''],
    queryFn: async ({ pageParam, signal }) => {
      const query = { per_page: 50, ...(kinds && { kinds: kinds.join() }), ...(pageParam && { cursor: pageParam }) }
      return api.get('/api/e/{model}/{id}/timeline', { params: { path: { model, id }, query }, signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  })

interface NewComment {
  readonly body: string
  readonly isInternal: boolean
  /** How it goes to whoever the record is about; left out, as the company's rules say. */
  readonly send: 'email' | 'messenger' | 'none' | undefined
  readonly files: readonly File[]
  /** Of a mail; empty: nobody gets a copy, and the subject is as the service says. */
  readonly cc?: readonly string[]
  readonly subject?: string
  /** Which of several conversations it answers. */
  readonly conversation?: number | undefined
  /** To whom outside which messages and comments are forwarded. */
  readonly forward?: { readonly to: string; readonly messages: readonly number[]; readonly comments: readonly number[] }
}

/** What was uploaded: an attempt that is repeated sends the same request. */
const uploads = new WeakMap<File, Promise<string>>()

function uploadOnce(file: File): Promise<string> {
  const known = uploads.get(file) ?? uploadFile(file)
  uploads.set(file, known)
  known.catch(() => uploads.delete(file))
  return known
}

type TimelinePages = InfiniteData<{ readonly data: readonly TimelineEntry[] }>

export function useComment(model: string, id: number) {
  const client = useQueryClient()
  const { keyOf, done } = useRequestKey()
  return useMutation({
    mutationFn: async ({ body, isInternal, send, files, cc = [], subject = '', conversation, forward }: NewComment) => {
      const attachments = await Promise.all(files.map(uploadOnce))
      const mail = { ...(cc.length > 0 && { cc: [...cc] }), ...(subject !== '' && { subject }) }
      if (forward) {
        const { to, messages, comments } = forward
        const passedOn = { to, body, message_ids: [...messages], comment_ids: [...comments], attachments, ...mail }
        const header = { 'Idempotency-Key': keyOf(passedOn) }
        return api.post('/api/e/{model}/{id}/forward', { params: { path: { model, id }, header }, body: passedOn })
      }
      const request = {
        body,
        is_internal: isInternal,
        attachments,
        ...(send && { send }),
        ...mail,
        ...(conversation !== undefined && { conversation }),
      }
      // The same text once more, after an answer that was lost, is sent to nobody twice.
      const header = { 'Idempotency-Key': keyOf(request) }
      return api.post('/api/e/{model}/{id}/comments', { params: { path: { model, id }, header }, body: request })
    },
    onSuccess({ data }) {
      done()
      const { id: comment, created_at: at, user } = data
      const entry = { kind: 'comment', at, id: String(comment), ...(user && { user }), summary: '', data } as const
      const queryKey = about(model, id, 'timeline')
      // It stands there at once, wherever comments are shown.
      const predicate = ({ queryKey: [, , , , kinds] }: Query): boolean => kinds === '' || /comment/.test(String(kinds))
      client.setQueriesData<TimelinePages>({ queryKey, predicate }, (known) => {
        const [first, ...others] = known?.pages ?? []
        return known && first
          ? { ...known, pages: [{ ...first, data: [entry as unknown as TimelineEntry, ...first.data] }, ...others] }
          : known
      })
      return client.invalidateQueries({ queryKey })
    },
  })
}

/** A whole message, for those who may read all of them. */
export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: ['messages', id],
    queryFn: async ({ signal }): Promise<IncomingMessage> =>
      (await api.get('/api/sys/incoming_messages/{id}', { params: { path: { id } }, signal })).data,
    staleTime: Infinity,
  })

/** How often open tasks are asked for: a change of who has one changes no record. */
const tasksEveryMs = 20_000

/** The tasks of processes that are open for a record. */
export const tasksQuery = (model: string, id: number) =>
  queryOptions({
    queryKey: about(model, id, 'tasks'),
    queryFn: async ({ signal }): Promise<readonly Task[]> =>
      (
        await api.get('/api/sys/process-tasks', {
          params: { query: { model, record_id: id, status: 'pending', per_page: 50 } },
          signal,
        })
      ).data,
    refetchInterval: ({ state }) => (state.data?.length ? tasksEveryMs : false),
  })

/** The records that are linked with one by a relation. */
export const linkedQuery = (relation: number, model: string, id: number) =>
  queryOptions({
    queryKey: about(model, id, `relation-${relation}`),
    queryFn: async ({ signal }) => {
      const path = { relation_id: relation, table_name: model, instance_id: id }
      const { data, meta } = await api.get('/api/sys/related_instances/{relation_id}/{table_name}/{instance_id}', {
        params: { path, query: { per_page: 50 } },
        signal,
      })
      return { records: data as unknown as readonly { id: number; data: Record<string, unknown> }[], total: meta.total }
    },
  })
