import { namesOf } from '../../accounts/people/user.ts'
import { byName } from '../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid, NotFound } from '../../kernel/failures/faults.ts'
import { maxCommentFiles } from '../../kernel/limits/comments.ts'
import { permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { ForwardedMessage } from '../../messages/deliveries/rows/intent-content.ts'
import { findMessage, readsAllMessages } from '../../messages/incoming-messages/find-message.ts'
import type { IncomingMessage } from '../../messages/incoming-messages/message.ts'
import type { MessageObjects } from '../../messages/incoming-messages/rows/content-row.ts'
import { normalAddress } from '../../platform/mail/normal-address.ts'
import { messageLinkKey } from '../../platform/store/keys/messages/incoming.ts'
import {
  type CommentedRecord,
  homesOf,
  readCommentedRecord,
  requireMayWrite,
  requireUnmerged,
} from '../../records/comments/commented-record.ts'
import type { CommentDependencies } from '../../records/comments/dependencies.ts'
import { findComment } from '../../records/comments/list-comments.ts'
import type { Comment } from '../../records/comments/rows/comment-row.ts'
import type { ForwardInput } from '../../records/comments/schema.ts'
import { withNames } from '../../records/comments/write/mentions.ts'
import { storeOnce } from '../../records/comments/write/write-comment.ts'
import { readOwnAddresses } from './answer-address.ts'
import { readMailConversations } from './conversations.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'

type ForwardDependencies = MessageObjects & {
  readonly replies: ReplyDependencies
  readonly comments: CommentDependencies
}

/**
 * Sends messages of a record to somebody outside, as a conversation of its own for the team: an internal comment, which its
 * answers follow. `key`: an Idempotency-Key; the same request under it sends nothing again. Throws NotFound, Forbidden as for
 * a reply by mail, and Invalid for messages that the caller may not read, for an address of a customer or of our own, and
 * where no mail can be sent.
 */
export async function forwardMessages(
  services: ForwardDependencies,
  caller: Caller,
  record: RecordRef,
  input: ForwardInput,
  key: string | undefined,
): Promise<Comment> {
  const { comments, replies } = services
  const { to, body, subject, message_ids: messageIds, comment_ids: commentIds = [] } = input
  requireMayWrite(caller, record.model, false)
  const found = await readCommentedRecord(comments, caller, record)
  requireUnmerged(record, found)
  await comments.access.require(caller, record.model, record.id, 'update', found.item)
  const cc = [...new Set(input.cc ?? [])].filter((one) => one !== to)
  await requireOutside(replies, caller, record, { to, cc })
  if (messageIds.length + commentIds.length === 0)
    throw new Invalid({ message_ids: ['Name at least one message here, or one comment in comment_ids.'] })
  const errors: FieldErrors = byName()
  const messages = await readNamed(messageIds, 'message_ids', errors, (id) =>
    findReadable(services, caller, record.model, found, id),
  )
  const written = await readNamed(commentIds, 'comment_ids', errors, (id) =>
    findWritten(services, caller, record, found, id),
  )
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const attachments = [
    ...new Set([
      ...(input.attachments ?? []),
      ...messages.flatMap((one) => one.attachments.flatMap(({ path }) => path ?? [])),
      ...written.flatMap((one) => one.attachments),
    ]),
  ]
  if (attachments.length > maxCommentFiles)
    throw new Invalid({
      attachments: [
        `They have ${attachments.length} files together, and a mail takes ${maxCommentFiles}. Forward fewer of them at once.`,
      ],
    })
  const content = {
    body,
    isInternal: true,
    attachments,
    send: 'email' as const,
    subject: subject ?? forwardSubject(messages[0]?.subject),
    ...(cc.length > 0 && { cc }),
    forwarding: {
      to,
      messages: [...messages.map(({ id }) => ({ message: id })), ...(await saidIn(comments, caller, written))],
      forwarded: { message_ids: messages.map(({ id }) => id), comment_ids: written.map(({ id }) => id), subject: '' },
    },
  }
  const route = `POST /api/e/${record.model}/${record.id}/forward`
  return storeOnce(comments, caller, record, content, { route, key, input })
}

const forwardSubject = (subject: string | null | undefined): string | undefined =>
  subject ? (/^(?:fwd?|wg)\s*:/i.test(subject) ? subject : `Fwd: ${subject}`) : undefined

/** Throws Invalid for an address of our own, and for one of a customer: a reply answers them. */
async function requireOutside(
  replies: ReplyDependencies,
  caller: Caller,
  record: RecordRef,
  { to, cc }: { readonly to: string; readonly cc: readonly string[] },
): Promise<void> {
  const [isOurs, { all }] = await Promise.all([
    readOwnAddresses(replies.config, caller.tenant),
    readMailConversations(replies, caller, record),
  ])
  const customers = new Set(all.map(({ address }) => normalAddress(address)))
  const errors: FieldErrors = byName()
  for (const [path, address] of [['to', to], ...cc.map((one, at) => [`cc.${at}`, one])] as [string, string][]) {
    if (isOurs(address)) errors[path] = [`${address} is an address of your own: a forward goes to somebody outside.`]
    else if (customers.has(normalAddress(address)))
      errors[path] = [`${address} is who asked here: answer them with a reply instead.`]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** Reads what is named, each once; what is not there is an error at its path. */
async function readNamed<T>(
  ids: readonly number[],
  path: string,
  errors: FieldErrors,
  read: (id: number) => Promise<T | undefined>,
): Promise<T[]> {
  const found = await Promise.all([...new Set(ids)].map(async (id) => [id, await read(id)] as const))
  for (const [id, one] of found)
    if (one === undefined)
      errors[`${path}.${ids.indexOf(id)}`] =
        path === 'message_ids'
          ? [`There is no incoming message ${id} of this record that you may read. Comments are named in comment_ids.`]
          : [`There is no comment ${id} of this record that you may read.`]
  return found.flatMap(([, one]) => one ?? [])
}

/** A message of the record, or of one that was merged into it, that the caller sees in its timeline. */
async function findReadable(
  { replies: { store }, fetchObject }: ForwardDependencies,
  caller: Caller,
  model: string,
  found: CommentedRecord,
  id: number,
): Promise<IncomingMessage | undefined> {
  const { tenant } = caller
  // What a message says may repeat fields that are hidden.
  if (permittedFields(caller, model, 'read') !== undefined && !readsAllMessages(caller)) return undefined
  const links = await store.getMany(
    tenant,
    homesOf(found).map((home) => messageLinkKey(tenant, model, home, id)),
  )
  if (links.every((link) => link === undefined)) return undefined
  const message = await findMessage({ store, fetchObject }, tenant, id)
  return message?.isInternal && !found.seesInternal ? undefined : message
}

async function findWritten(
  { comments }: ForwardDependencies,
  caller: Caller,
  record: RecordRef,
  found: CommentedRecord,
  id: number,
): Promise<Comment | undefined> {
  try {
    return await findComment(comments.store, caller, record, id, found)
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** Comments as their forward has them: who wrote them when, and what. */
async function saidIn(
  { store }: CommentDependencies,
  { tenant }: Caller,
  written: readonly Comment[],
): Promise<ForwardedMessage[]> {
  const names = await namesOf(
    store,
    tenant,
    written.flatMap(({ userId, mentions }) => [userId, ...mentions]),
  )
  return written.map(({ userId, from, body, createdAt }) => ({
    from: from ? [from.name, from.email && `<${from.email}>`].filter(Boolean).join(' ') : (names.get(userId) ?? ''),
    atMs: Date.parse(createdAt),
    text: withNames(body, names),
  }))
}
