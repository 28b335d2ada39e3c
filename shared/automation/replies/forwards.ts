import { mayOnTable } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import { findMessageHead } from '../../messages/incoming-messages/find-message.ts'
import { readMailAddresses } from '../../messages/incoming-messages/mail-addresses.ts'
import { commentKey, commentPartition } from '../../platform/store/keys/comments.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { readMergedRecords } from '../../platform/store/ranges/merged-records.ts'
import { newestRows } from '../../platform/store/ranges/newest-rows.ts'
import { readRecordHead } from '../../platform/store/rows/record-row.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { type Comment, readComment } from '../../records/comments/rows/comment-row.ts'
import { answerAddress, readOwnAddresses } from './answer-address.ts'
import type { MailConversation } from './conversations.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'

/** A conversation with somebody outside to whom messages were forwarded. Its id is negative: that of its comment. */
export interface ForwardConversation extends MailConversation {
  /** What its mails are called. */
  readonly subject: string
}

/** So many internal comments of a record, the newest, say which forwards there are. One that is named is found in any case. */
const lookedThrough = 200

/**
 * The conversations with people to whom messages about a record were forwarded, the newest first, for those who read internal
 * comments. Each reaches who wrote its latest answer, else whom it was forwarded to. `wanted`: this one alone.
 */
export async function readForwards(
  services: Pick<ReplyDependencies, 'store' | 'config'>,
  viewer: Viewer,
  { model, id }: RecordRef,
  wanted?: number,
): Promise<readonly ForwardConversation[]> {
  const { store, config } = services
  const { tenant } = viewer
  if (!mayOnTable(viewer, model, 'comment_internal')) return []
  const [item] = await store.getMany(tenant, [recordKey(tenant, model, id)])
  const merged = (await readMergedRecords(store, tenant, model, item)).map((one) => readRecordHead(one).id)
  const homes = [id, ...merged]
  const read = await Promise.all(
    homes.map((home) =>
      newestRows(store, tenant, { pk: commentPartition(tenant, model, home, true) }, undefined, lookedThrough),
    ),
  )
  const named: readonly (Item | undefined)[] =
    wanted === undefined
      ? []
      : await store.getMany(
          tenant,
          homes.map((home) => commentKey(tenant, model, home, { id: -wanted, isInternal: true })),
        )
  const rows = [...named, ...read.flatMap((one) => one.rows.map((row) => row.item))].filter((row) => row !== undefined)
  const all = new Map(rows.map(readComment).map((one) => [one.id, one]))
  const comments = [...all.values()].filter(({ forward }) => forward !== undefined).toSorted((a, b) => b.id - a.id)
  const roots = comments.filter((one) => one.forward === one.id && (wanted === undefined || one.id === -wanted))
  if (roots.length === 0) return []
  const isOurs = await readOwnAddresses(config, tenant)
  return Promise.all(roots.map(conversationOf))

  async function conversationOf(root: Comment): Promise<ForwardConversation> {
    const subject = root.forwarded?.subject ?? ''
    for (const { messageId } of comments.filter(({ forward }) => forward === root.id)) {
      const mail = messageId === undefined ? undefined : await findMessageHead(store, tenant, messageId)
      const answer = mail && answerAddress(mail, await readMailAddresses(store, tenant, mail), isOurs)
      if (answer) return { id: -root.id, ...answer, mail, subject: mail.subject ?? subject }
    }
    return { id: -root.id, address: root.to ?? '', name: null, copies: root.cc ?? [], subject }
  }
}
