import type { TenantRef } from '../../../kernel/tenancy.ts'
import {
  allCommentsPartitionOf,
  commentKey,
  commentSort,
  removedCommentKey,
} from '../../../platform/store/keys/comments.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import type { Side } from '../../../platform/store/rows/conversation-state.ts'
import { commentSlot, slotEntry } from '../../../platform/store/slots.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** The sequence of comment ids of a tenant. */
export const commentSequence = 'sys_comments'

/** What a forward passed on. */
export interface Forwarded {
  readonly message_ids: number[]
  readonly comment_ids: number[]
  readonly subject: string
}

/** A comment on a record, as stored: people are ids, so that their names are always the current ones. */
export interface Comment {
  readonly id: number
  readonly model: string
  readonly recordId: number
  readonly body: string
  readonly isInternal: boolean
  readonly attachments: readonly string[]
  readonly mentions: readonly number[]
  readonly userId: number
  readonly impersonatorId?: number
  /** Who wrote it, when no user did (`userId` is 0 then). */
  readonly from?: { readonly name: string | null; readonly email: string | null }
  /** Who got a copy of it as a mail. */
  readonly cc?: readonly string[]
  /** The incoming message that it was. */
  readonly messageId?: number
  /**
   * The record as whose requester it was written: through its request in the portal, or as a message to it. Left out for the
   * team's, and in rows from before.
   */
  readonly through?: number
  /** The record whose conversation it was sent in, where merges put several together: other customers do not read it. */
  readonly conversation?: number
  /** The comment that began the conversation with somebody outside that it is part of: itself, of a forward. */
  readonly forward?: number
  /** Whom a mail of such a conversation went to. */
  readonly to?: string
  /** Of a forward: the messages and comments that it passed on, and what its mail was called. */
  readonly forwarded?: Forwarded
  /** Whose word it is in the conversation with the customer; left out for what is no part of it. */
  readonly side?: Side
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

export const commentItem = (tenant: TenantRef, comment: Comment): Item & Key => ({
  ...commentKey(tenant, comment.model, comment.recordId, comment),
  kind: 'comment',
  v: 1,
  feed: 'comment',
  tenant_id: tenant.id,
  id: comment.id,
  model: comment.model,
  record_id: comment.recordId,
  body: comment.body,
  is_internal: comment.isInternal,
  attachments: JSON.stringify(comment.attachments),
  mentions: JSON.stringify(comment.mentions),
  user_id: comment.userId,
  ...(comment.impersonatorId !== undefined && { impersonator_id: comment.impersonatorId }),
  ...(comment.from && { from: JSON.stringify(comment.from) }),
  ...(comment.cc && { cc: JSON.stringify(comment.cc) }),
  ...(comment.messageId !== undefined && { message_id: comment.messageId }),
  ...(comment.through !== undefined && { through: comment.through }),
  ...(comment.conversation !== undefined && { conversation: comment.conversation }),
  ...(comment.forward !== undefined && { forward: comment.forward }),
  ...(comment.to !== undefined && { to: comment.to }),
  ...(comment.forwarded && { forwarded: JSON.stringify(comment.forwarded) }),
  ...(comment.side !== undefined && { side: comment.side }),
  created_at: comment.createdAt,
  updated_at: comment.updatedAt,
  version: comment.version,
  ...slotEntry(commentSlot, allCommentsPartitionOf(tenant, comment.id), commentSort(comment.id)),
})

/** How long the change feed may take to tell of a removed comment: a day, the longest that a stream keeps a change. */
const removedSeconds = 24 * 60 * 60

/** The row that has the change feed tell of a removed comment. */
export const removedComment = (tenant: TenantRef, { id, version }: Comment, nowMs: number): Item & Key => ({
  ...removedCommentKey(tenant, id),
  kind: 'removed_comment',
  v: 1,
  feed: 'comment',
  tenant_id: tenant.id,
  id,
  removed: true,
  version: version + 1,
  expires_at: Math.floor(nowMs / 1000) + removedSeconds,
})

export const readComment = (item: Item): Comment => ({
  id: Number(item.id),
  model: String(item.model),
  recordId: Number(item.record_id),
  body: String(item.body),
  isInternal: item.is_internal === true,
  attachments: readJson<string[]>(item, 'attachments'),
  mentions: readJson<number[]>(item, 'mentions'),
  userId: Number(item.user_id),
  ...(item.impersonator_id !== undefined && { impersonatorId: Number(item.impersonator_id) }),
  ...(item.from !== undefined && { from: readJson<NonNullable<Comment['from']>>(item, 'from') }),
  ...(item.cc !== undefined && { cc: readJson<string[]>(item, 'cc') }),
  ...(item.message_id !== undefined && { messageId: Number(item.message_id) }),
  ...(item.through !== undefined && { through: Number(item.through) }),
  ...(item.conversation !== undefined && { conversation: Number(item.conversation) }),
  ...(item.forward !== undefined && { forward: Number(item.forward) }),
  ...(item.to !== undefined && { to: String(item.to) }),
  ...(item.forwarded !== undefined && { forwarded: readJson<Forwarded>(item, 'forwarded') }),
  ...((item.side === 'customer' || item.side === 'team') && { side: item.side }),
  createdAt: String(item.created_at),
  updatedAt: String(item.updated_at),
  version: Number(item.version),
})

/** A comment as the export of a tenant holds it. */
export const exportedComment = (item: Item): object => {
  const { recordId, isInternal, userId, impersonatorId, messageId, createdAt, updatedAt, ...rest } = readComment(item)
  return {
    ...rest,
    record_id: recordId,
    is_internal: isInternal,
    user_id: userId,
    ...(impersonatorId !== undefined && { impersonator_id: impersonatorId }),
    ...(messageId !== undefined && { message_id: messageId }),
    created_at: createdAt,
    updated_at: updatedAt,
  }
}
