import { NotFound } from '../../../kernel/failures/faults.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { commentPartition } from '../../../platform/store/keys/comments.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import {
  afterMessage,
  type ConversationParts,
  type Side,
  withoutMessages,
} from '../../../platform/store/rows/conversation-state.ts'
import { conversationWrite } from '../../../platform/store/rows/derived-version.ts'
import { isLiving, readChangedAt, type StoredRecord } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Step } from '../../../platform/store/writes/commit.ts'
import { isClosedRecord } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { type CommentedRecord, homesOf } from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import { worksOn } from '../readers.ts'
import { type Comment, readComment } from '../rows/comment-row.ts'

/** The record whose conversation a comment is part of. */
export const homeOfComment = ({ conversation, through, recordId }: Comment): number =>
  conversation ?? through ?? recordId

/** How a comment came about, as far as that tells whose word it is. */
export interface CommentOrigin {
  /** It was sent to the customer of the conversation. */
  readonly isSent: boolean
  /** It is a message of whoever replies to the record are sent to. */
  readonly isOfCustomer: boolean
  /** A program wrote the message. */
  readonly isAutomatic: boolean
}

/**
 * Whose word a new comment is in the conversation with the customer; undefined for one that is no part of it: an internal
 * note, what a program wrote, and what of the team the customer neither gets nor reads in the portal.
 */
export async function sideOf(
  comments: Pick<CommentDependencies, 'store' | 'config' | 'access'>,
  tenant: Tenant,
  comment: Comment,
  { item, record }: Pick<CommentedRecord, 'item' | 'record'>,
  { isSent, isOfCustomer, isAutomatic }: CommentOrigin,
): Promise<Side | undefined> {
  const { isInternal, through, from, messageId, userId, model } = comment
  if (isInternal || isAutomatic) return undefined
  if (isSent) return 'team'
  if (through !== undefined || from !== undefined || isOfCustomer) return 'customer'
  if (messageId !== undefined) {
    const isCustomer = userId === record.created_by || !(await worksOn(comments, tenant, model, item, userId))
    if (isCustomer) return 'customer'
  }
  return record.conversation?.[homeOfComment(comment)]?.isPortal ? 'team' : undefined
}

/** Adds a comment to the conversations of its record, as that was read. */
export function addToConversation(
  { clock }: Pick<CommentDependencies, 'clock'>,
  tenant: TenantRef,
  table: Table,
  comment: Comment & { readonly side: Side },
  { item, record }: Pick<CommentedRecord, 'item' | 'record'>,
): AddedToConversation {
  const { side: by, createdAt: at, through, messageId } = comment
  const after: AddedToConversation['after'] = ({ conversation }, data) =>
    afterMessage(
      conversation,
      homeOfComment(comment),
      { at, by },
      { isClosed: isClosedRecord(table, data), isPortal: through !== undefined && messageId === undefined },
    )
  const parts = after(record, record.data)
  return { by, after, step: (again) => conversationStep({ clock }, tenant, table, item, { parts, by }, again) }
}

/** What a comment does to the conversations of its record. */
export interface AddedToConversation {
  readonly by: Side
  /** The conversations afterwards, for a transaction that changes the record, too. */
  readonly after: (before: Pick<StoredRecord, 'conversation'>, data: StoredRecord['data']) => ConversationParts
  /** The step that stores them, refused when the record has changed since it was read. */
  readonly step: (again: (cause: Error) => never) => Step
}

/** The step that takes comments out of the conversations of their record; undefined where none of them is part of one. */
export async function takeFromConversation(
  { store, clock }: Pick<CommentDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  table: Table,
  removed: readonly Comment[],
  found: Pick<CommentedRecord, 'item' | 'record' | 'merged'>,
): Promise<
  { readonly parts: ConversationParts | undefined; readonly step: (again: (cause: Error) => never) => Step } | undefined
> {
  const { item, record } = found
  const taken = removed.filter(({ side }) => side !== undefined)
  if (taken.length === 0 || !record.conversation) return undefined
  const all: Comment[] = []
  for (const home of homesOf(found))
    all.push(
      ...(await readAll(store, tenant, { pk: commentPartition(tenant, table.name, home, false) })).map(readComment),
    )
  const isTaken = ({ id }: Comment): boolean => taken.some((one) => one.id === id)
  const homes = new Set(taken.map(homeOfComment))
  let parts: ConversationParts | undefined = record.conversation
  for (const home of homes) {
    const own = all.filter((one) => homeOfComment(one) === home)
    parts = withoutMessages(parts, home, {
      removed: taken.filter((one) => homeOfComment(one) === home).length,
      rest: own.flatMap((one) => (one.side && !isTaken(one) ? [{ at: one.createdAt, by: one.side }] : [])),
      isClosed: isClosedRecord(table, record.data),
    })
  }
  const after = parts
  return { parts, step: (again) => conversationStep({ clock }, tenant, table, item, { parts: after }, again) }
}

function conversationStep(
  { clock }: Pick<CommentDependencies, 'clock'>,
  tenant: TenantRef,
  table: Table,
  item: Item,
  { parts, by }: { readonly parts: ConversationParts | undefined; readonly by?: Side },
  again: (cause: Error) => never,
): Step {
  const at = new Date(Math.max(clock.now(), Date.parse(readChangedAt(item)))).toISOString()
  return {
    write: conversationWrite(tenant, table, item, { parts, ...(by && { by }), at, writeId: clock.uuid() }),
    refused: (existing) =>
      isLiving(existing)
        ? again(new Error('the record has changed'))
        : new NotFound('record', { model: table.name, id: Number(item.sk) }),
  }
}
