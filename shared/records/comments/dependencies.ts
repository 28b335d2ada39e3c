import type { RowAccess } from '../../accounts/access/row-access.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { ForwardedMessage } from '../../messages/deliveries/rows/intent-content.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Write } from '../../platform/store/store.ts'
import type { FileDependencies } from '../../tables/files/check-upload.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Comment, Forwarded } from './rows/comment-row.ts'
import type { SendWay } from './schema.ts'

/** What the comments and watchers of records need. */
export interface CommentDependencies extends FileDependencies {
  readonly config: Pick<Config, 'list'>
  readonly tables: Pick<Tables, 'require'>
  readonly access: Pick<RowAccess, 'isLimited' | 'permitted' | 'require'>
  /**
   * What a new public comment sends to people outside, for its transaction. Passed in, because the slice
   * `incoming-actions` is above this one.
   */
  readonly sendReplies?: SendReplies
  /** Who follows records in the portal. Passed in, because the slice `portal` is above this one. */
  readonly requests?: RequestFollowers
}

/** People without rights on a table who sent a record of it, or were added to it, in the portal. */
export interface RequestFollowers {
  /** They are notified of public comments. */
  followersOf(tenant: TenantRef, record: { readonly model: string; readonly id: number }): Promise<ReadonlySet<number>>
  /** What keeps the lists of requests of people who were added as watchers, or removed. */
  listWrites(
    tenant: TenantRef,
    record: { readonly model: string; readonly id: number },
    changed: { readonly added: readonly number[]; readonly removed: readonly number[] },
  ): Promise<readonly Write[]>
}

/** How the author of a comment wants it sent, and called; left out, as the rules of the tenant say. */
export interface SendingOf {
  readonly send?: SendWay | undefined
  readonly subject?: string | undefined
  /** The record whose conversation it answers: its own, or one that was merged into it. Negative: that of a forward. */
  readonly conversation?: number | undefined
  /** It begins a conversation with somebody outside: whom it goes to, and what it passes on. */
  readonly forwarding?: Forwarding | undefined
}

/** What a forward passes on, and to whom. */
export interface Forwarding {
  readonly to: string
  readonly messages: readonly ForwardedMessage[]
  readonly forwarded: Forwarded
}

/**
 * Answers what the transaction of the comment writes, and which of several conversations it is part of: `inForward`, that of a
 * forward. `isOfCustomer`: it is a message of whoever would be answered.
 */
export type SendReplies = (
  author: Viewer & { readonly name: string },
  comment: Comment,
  how: SendingOf,
) => Promise<{
  readonly writes: readonly Write[]
  readonly conversation?: number
  readonly inForward?: Pick<Comment, 'forward' | 'to' | 'forwarded'>
  readonly isOfCustomer?: true
}>

/** Whether a comment goes to somebody outside who is not the customer: it is internal, and sent all the same. */
export const isOfForward = ({ forwarding, conversation }: SendingOf): boolean =>
  forwarding !== undefined || (conversation !== undefined && conversation < 0)
