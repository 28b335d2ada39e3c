import { readJson } from '../values/json-attribute.ts'
import type { Item } from '../values/marshal.ts'

/** Who wrote a message of a conversation, or is waited for. */
export type Side = 'customer' | 'team'

/** The conversation with the customer of one record, as the row of the record keeps it. */
export interface ConversationPart {
  /** When the latest message was written, and by whom. */
  readonly at: string
  readonly by: Side
  /** Whose turn it is; null: nobody's, since the record reached a final state after the customer's latest message. */
  readonly awaits: Side | null
  readonly messages: number
  /** When the customer began it without a comment: by the mail or the request that made the record. */
  readonly begun?: string
  /** The customer reads every public comment, in the portal. */
  readonly isPortal?: true
}

/**
 * By the id of the record that each is about: the record's own, and after a merge those of the records merged into it, so that
 * an unmerge takes them along again.
 */
export type ConversationParts = Readonly<Record<string, ConversationPart>>

/** The conversations about a record as one. */
export interface ConversationState {
  readonly last_at: string
  readonly last_by: Side
  readonly awaits: Side | null
  readonly messages: number
}

/** What the lists of a table may ask about a conversation, as the names of their columns. */
export const conversationColumns = { 'conversation.awaits': 'awaits', 'conversation.last_at': 'last_at' } as const

/** The conversations of a record's row; undefined for one that has none. */
export const readConversation = (item: Item): ConversationParts | undefined =>
  item.conversation === undefined ? undefined : readJson<ConversationParts>(item, 'conversation')

/** The attribute of a record's row that keeps its conversations. */
export const conversationAttribute = (parts: ConversationParts | undefined): { readonly conversation?: string } =>
  parts && Object.keys(parts).length > 0 ? { conversation: JSON.stringify(parts) } : {}

/** The conversations as one: the team is awaited while one of the customers waits for it. Undefined where there is none. */
export function stateOfConversation(parts: ConversationParts | undefined): ConversationState | undefined {
  const all = Object.values(parts ?? {})
  const [latest] = all.toSorted((a, b) => b.at.localeCompare(a.at))
  if (!latest) return undefined
  return {
    last_at: latest.at,
    last_by: latest.by,
    awaits: all.some(({ awaits }) => awaits === 'team') ? 'team' : latest.awaits,
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
  }
}

/** A message of a conversation. */
export interface Message {
  readonly at: string
  readonly by: Side
}

/** The conversations after another message in that about `home`. `isClosed`: its record is in a final state. */
export function afterMessage(
  parts: ConversationParts | undefined,
  home: number,
  { at, by }: Message,
  { isClosed, begins, isPortal }: { readonly isClosed: boolean; readonly begins?: true; readonly isPortal?: boolean },
): ConversationParts {
  const before = parts?.[home]
  const part: ConversationPart = {
    ...before,
    at: before && before.at > at ? before.at : at,
    by,
    awaits: awaitedAfter(by, isClosed),
    messages: (before?.messages ?? 0) + 1,
    ...(begins && { begun: at }),
    ...((isPortal || before?.isPortal) && { isPortal: true }),
  }
  return { ...parts, [home]: part }
}

/** The conversations of a new record, by its id and the moment at which it is made. */
export type FirstConversation = (id: number, at: string) => ConversationParts

/** The conversation that a customer begins by the message, or the request in the portal, that makes a record. */
export const begunBy =
  (way: 'message' | 'portal'): FirstConversation =>
  (id, at) =>
    afterMessage(undefined, id, { at, by: 'customer' }, { isClosed: false, begins: true, isPortal: way === 'portal' })

/** Whose turn it is after a message: the customer is not waited for once all is done. */
const awaitedAfter = (by: Side, isClosed: boolean): Side | null =>
  by === 'customer' ? 'team' : isClosed ? null : 'customer'

/** The conversations after a change of their record: nobody is awaited once it is done, and as before when it is opened again. */
export function afterChange(
  parts: ConversationParts | undefined,
  was: { readonly isClosed: boolean },
  is: { readonly isClosed: boolean },
): ConversationParts | undefined {
  if (!parts || was.isClosed === is.isClosed) return parts
  return mapParts(parts, (part) => ({ ...part, awaits: is.isClosed ? null : awaitedAfter(part.by, false) }))
}

/** The conversations without some messages of that about `home`. `rest`: those that are left of it and have comments. */
export function withoutMessages(
  parts: ConversationParts | undefined,
  home: number,
  {
    removed,
    rest,
    isClosed,
  }: { readonly removed: number; readonly rest: readonly Message[]; readonly isClosed: boolean },
): ConversationParts | undefined {
  const { [home]: before, ...others } = parts ?? {}
  if (!before || removed === 0) return parts
  const begun: Message[] = before.begun === undefined ? [] : [{ at: before.begun, by: 'customer' }]
  const [latest] = [...begun, ...rest].toSorted((a, b) => b.at.localeCompare(a.at))
  if (!latest) return others
  const isSame = latest.at === before.at && latest.by === before.by
  return {
    ...others,
    [home]: {
      ...before,
      ...latest,
      awaits: isSame ? before.awaits : awaitedAfter(latest.by, isClosed),
      messages: Math.max(1, before.messages - removed),
    },
  }
}

/** The conversations about some of the records. */
export const conversationsAbout = (
  parts: ConversationParts | undefined,
  isWanted: (home: number) => boolean,
): ConversationParts => Object.fromEntries(Object.entries(parts ?? {}).filter(([home]) => isWanted(Number(home))))

const mapParts = (parts: ConversationParts, map: (part: ConversationPart) => ConversationPart): ConversationParts =>
  Object.fromEntries(Object.entries(parts).map(([home, part]) => [home, map(part)]))
