import { findUser } from '../../accounts/people/user.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { messageContentKey, messageKey } from '../../platform/store/keys/messages/incoming.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { MayReadMessage } from '../../tables/files/open-download.ts'
import { describeMessage } from './describe-message.ts'
import { hideRecords, type RecordSight } from './hide-records.ts'
import type { IncomingMessage, MessageHead } from './message.ts'
import { type MessageObjects, readMessageContent } from './rows/content-row.ts'
import { readMessageHead, senderOf } from './rows/message-row.ts'
import type { MessageAnswer } from './schema.ts'

export type ReadingDependencies = MessageObjects & { readonly store: Pick<Store, 'get' | 'getMany' | 'query'> }

/** Reads a message with its content; undefined when there is none. */
export async function findMessage(
  objects: MessageObjects & { readonly store: Pick<Store, 'getMany'> },
  tenant: TenantRef,
  id: number,
): Promise<IncomingMessage | undefined> {
  const [head, content] = await objects.store.getMany(tenant, [messageKey(tenant, id), messageContentKey(tenant, id)])
  return head && content && withContent(objects, readMessageHead(head), content)
}

/** Reads what is known of a message without its content; undefined when there is none. */
export async function findMessageHead(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  id: number,
): Promise<MessageHead | undefined> {
  const item = await store.get(tenant, messageKey(tenant, id))
  return item && readMessageHead(item)
}

/**
 * A message with its content, from the row of the content. What a mail replies to may have become known after its content
 * was stored.
 */
export async function withContent(objects: MessageObjects, head: MessageHead, content: Item): Promise<IncomingMessage> {
  const read = await readMessageContent(objects, content)
  const { answers, replyTo } = head
  const payload = answers !== undefined && replyTo ? { ...read.payload, reply_to: replyTo } : read.payload
  return { ...head, ...read, payload }
}

/** Whether the caller may read every message. Everybody else reads those that they sent themselves. */
export const readsAllMessages = (caller: Pick<Caller, 'isAdministrator' | 'permissions'>): boolean =>
  mayOnTable(caller, 'incoming_messages', 'read')

/** What the messages that the caller sent are listed by: the own address, and the linked chat. */
export async function sendersOf(store: Pick<Store, 'get'>, caller: Caller): Promise<string[]> {
  const chat = (await findUser(store, caller.tenant, caller.userId))?.messengerChat ?? null
  const own = [senderOf({ fromEmail: caller.email, fromId: null }), senderOf({ fromEmail: null, fromId: chat })]
  return own.filter((sender) => sender !== undefined)
}

/** A message that the caller may read as the caller sees it. Throws NotFound for any other. */
export async function readMessage(
  services: ReadingDependencies & RecordSight,
  caller: Caller,
  id: number,
): Promise<MessageAnswer> {
  const message = await requireMessage(services, caller, id)
  const hide = await hideRecords(services, caller, [message])
  return hide(describeMessage(message))
}

/** Reads a message that the caller may read. Throws NotFound for any other. */
export async function requireMessage(
  services: ReadingDependencies,
  caller: Caller,
  id: number,
): Promise<IncomingMessage> {
  const message = await findMessage(services, caller.tenant, id)
  if (!message || !(await maySee(services.store, caller, message))) throw new NotFound('incoming_message', { id })
  return message
}

async function maySee(store: Pick<Store, 'get'>, caller: Caller, message: MessageHead): Promise<boolean> {
  if (readsAllMessages(caller)) return true
  const sender = senderOf(message)
  return sender !== undefined && (await sendersOf(store, caller)).includes(sender)
}

/** Tells whether callers may read a message that holds a file. */
export const messageReader =
  (services: ReadingDependencies): MayReadMessage =>
  async (caller, id, path) => {
    const message = await findMessage(services, caller.tenant, id)
    return (
      message !== undefined &&
      message.attachments.some((one) => one.path === path) &&
      (await maySee(services.store, caller, message))
    )
  }
