import { maxSenderCharacters } from '../../../kernel/limits/incoming.ts'

/** What is known about an update of the Bot API. Every member but `kind` may be missing, as its shape is untrusted. */
export interface Update {
  /** Rises by one with each update of a bot. */
  readonly id: number | undefined
  /** The name of the member that the update has besides its id, for example `message`; `unknown` when it has none. */
  readonly kind: string
  readonly content: Members | undefined
  /** The chat that it belongs to, or the person where it has no chat. */
  readonly chatId: string | undefined
  readonly fromName: string | undefined
  /** Text, caption, or the data of the button that was pressed; else empty. */
  readonly body: string
}

/** Reads an update. Never throws: what it does not know has an empty body. */
export function readUpdate(update: Members): Update {
  const { update_id: id } = update
  const [kind, content] = contentOf(update)
  return {
    id: typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined,
    kind,
    content,
    chatId: chatIdOf(content),
    fromName: nameOf(content),
    body: bodyOf(kind, content),
  }
}

/** An update has one member besides its id. */
function contentOf(update: Members): readonly [string, Members | undefined] {
  for (const name of Object.keys(update)) {
    const content = name === 'update_id' ? undefined : memberOf(update, name)
    if (content) return [name, content]
  }
  return ['unknown', undefined]
}

/** The chat of the message, of the message whose button was pressed, or of the person who acted. */
function chatIdOf(content: Members | undefined): string | undefined {
  const chats = [
    memberOf(content, 'chat'),
    memberOf(memberOf(content, 'message'), 'chat'),
    memberOf(content, 'voter_chat'),
    memberOf(content, 'actor_chat'),
    memberOf(content, 'from'),
    memberOf(content, 'user'),
  ]
  for (const chat of chats) {
    const id = idOf(chat)
    if (id !== undefined) return id
  }
  return idOf(content, 'user_chat_id')
}

/** Who acted. An administrator who hides, and a channel, speak as a chat; their `from` is a stand-in of Telegram. */
function nameOf(content: Members | undefined): string | undefined {
  const chat = memberOf(content, 'sender_chat') ?? memberOf(content, 'voter_chat') ?? memberOf(content, 'actor_chat')
  const person = memberOf(content, 'from') ?? memberOf(content, 'user')
  const name = titleOf(chat) ?? personOf(person) ?? titleOf(memberOf(content, 'chat'))
  if (name === undefined) return undefined
  const plain = name
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .toWellFormed()
  return plain === '' ? undefined : plain.slice(0, maxSenderCharacters).toWellFormed()
}

const titleOf = (chat: Members | undefined): string | undefined => textOf(chat, 'title') ?? personOf(chat)

function personOf(person: Members | undefined): string | undefined {
  const parts = [textOf(person, 'first_name'), textOf(person, 'last_name')].filter((part) => part !== undefined)
  if (parts.length > 0) return parts.join(' ')
  const username = textOf(person, 'username')
  return username === undefined ? undefined : `@${username}`
}

function bodyOf(kind: string, content: Members | undefined): string {
  const text = messageKinds.has(kind)
    ? textOf(content, 'text', 'caption')
    : kind === 'callback_query'
      ? textOf(content, 'data')
      : undefined
  return (text ?? '').toWellFormed()
}

/** The update inside a stored payload; undefined when there is none. */
export function updateOf(payload: unknown): Update | undefined {
  const members = asMembers(payload)
  return members && readUpdate(members)
}

const messageUpdates = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'business_message',
  'edited_business_message',
] as const

/**
 * The kinds of updates of the Bot API that make sense to a company: what its people write, edit, press, vote and react.
 * `setWebhook` asks for these. An update of another kind is stored all the same.
 */
export const allowedUpdates = [
  ...messageUpdates,
  'callback_query',
  'message_reaction',
  'poll',
  'poll_answer',
  'my_chat_member',
  'chat_join_request',
] as const

/** The kinds whose member is a message. */
export const messageKinds: ReadonlySet<string> = new Set(messageUpdates)

/** The JSON of an update: nothing about its shape is known for sure. */
export type Members = Readonly<Record<string, unknown>>

/** A value as an object; undefined when it is none. */
export const asMembers = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined

/** The member of an object that is an object. */
export const memberOf = (parent: Members | undefined, name: string): Members | undefined =>
  asMembers(parent !== undefined && Object.hasOwn(parent, name) ? parent[name] : undefined)

/** The first of some members that is a text; undefined when none is, or all are empty. */
export function textOf(parent: Members | undefined, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = parent?.[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The id of a chat, a user or a message, as text: the Bot API writes numbers, and rules compare texts. */
export function idOf(parent: Members | undefined, name = 'id'): string | undefined {
  const value = parent?.[name]
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? value : undefined
}
