import { namesOf } from '../../../accounts/people/user.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { readsAllMessages } from '../../../messages/incoming-messages/find-message.ts'
import { hideRecords, type RecordSight } from '../../../messages/incoming-messages/hide-records.ts'
import type { MessageHead } from '../../../messages/incoming-messages/message.ts'
import { messagesOfRecord } from '../../../messages/incoming-messages/messages-of-record.ts'
import { readContents } from '../../../messages/incoming-messages/read-contents.ts'
import type { MessageAnswer } from '../../../messages/incoming-messages/schema.ts'
import { publicUrl } from '../../../platform/http/routing/envelope.ts'
import type { Store } from '../../../platform/store/store.ts'
import { shorten, type TimelineSource, type TimelineSubject } from '../timeline-source.ts'

interface Dependencies extends RecordSight {
  readonly store: Pick<Store, 'get' | 'query' | 'getMany'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/**
 * The messages that made a record or reply to it. Who may not read all messages sees who wrote what, without what the
 * channel adds; nobody sees which other records there are that they may not read.
 */
export function messagesOf(
  services: Dependencies,
  { viewer, model, id }: TimelineSubject,
): TimelineSource<MessageHead> {
  const { store } = services
  const { tenant } = viewer
  const readsAll = readsAllMessages(viewer)
  // An answer to an internal comment is one.
  const seesInternal = mayOnTable(viewer, model, 'comment_internal')
  return {
    name: 'message',
    kind: 'message',
    position: /^\d{12}$/,
    async read(from, limit) {
      const { messages, ...rest } = await messagesOfRecord(store, tenant, { model, id }, from, limit)
      const shown = messages.filter(({ message }) => !message.isInternal || seesInternal)
      const heads = shown.map(({ sort, message }) => ({
        at: isoTime(message.receivedAtMs),
        position: sort,
        row: message,
      }))
      return { heads, ...rest }
    },
    async describe(heads) {
      const show = readsAll ? await hideRecords(services, viewer, heads) : whatWasWritten
      const [contents, names] = await Promise.all([
        readContents(services, tenant, heads, (message) => shorten({ ...show(message), ...namedIn(message) })),
        namesOf(
          store,
          tenant,
          heads.flatMap(({ userId }) => userId ?? []),
        ),
      ])
      return heads.map((head, index) => {
        const { userId } = head
        const { data = {}, isShortened = false } = contents[index] ?? {}
        return {
          at: isoTime(head.receivedAtMs),
          id: String(head.id),
          ...(userId !== undefined && { user: { id: userId, name: names.get(userId) ?? 'Unknown user' } }),
          summary: summaryOf(head, model, id),
          data,
          isShortened,
          ...(readsAll && { href: `${publicUrl()}/api/sys/incoming_messages/${head.id}` }),
        }
      })
    },
  }
}

/** To whom a mail went besides us, as it says. */
function namedIn({ channel, payload: { to, cc } }: MessageAnswer): { readonly to?: unknown; readonly cc?: unknown } {
  if (channel !== 'email') return {}
  return { ...(Array.isArray(to) && { to }), ...(Array.isArray(cc) && { cc }) }
}

const whatWasWritten = ({
  id,
  channel,
  from_name,
  from_email,
  subject,
  body,
  body_new,
  is_internal,
  attachments,
  received_at,
  payload: { html, invitation, protection, truncated },
}: MessageAnswer) => ({
  id,
  channel,
  from_name,
  from_email,
  subject,
  body,
  ...(body_new !== undefined && { body_new }),
  ...(is_internal && { is_internal }),
  attachments,
  received_at,
  // Of a mail it is cleaned when it is received; what other channels bring is not.
  ...(channel === 'email' && typeof html === 'string' && { html }),
  ...(channel === 'email' && invitation !== undefined && { invitation }),
  ...(channel === 'email' && protection !== undefined && { protection }),
  ...(channel === 'email' && truncated !== undefined && { truncated }),
})

const nouns = { messenger: 'Chat message', email: 'Mail', api: 'Message' } as const

function summaryOf(head: MessageHead, model: string, id: number): string {
  const { channel, fromName, fromEmail, fromId, auto, outcomes } = head
  const what = auto === undefined ? nouns[channel] : `Automatic ${nouns[channel].toLowerCase()}`
  const from = fromName ?? fromEmail ?? fromId
  const made = outcomes.some(({ kind, record }) => kind === 'created' && record?.model === model && record.id === id)
  return `${what}${from === null ? '' : ` from ${from}`} ${made ? 'made this record' : 'received'}`
}
