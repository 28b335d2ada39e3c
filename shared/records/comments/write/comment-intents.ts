import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { namesOf } from '../../../accounts/people/user.ts'
import { maxToldOfComment } from '../../../kernel/limits/comments.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { answersTo } from '../../../messages/deliveries/answers/answer-brake.ts'
import { userRecipient } from '../../../messages/deliveries/expand/recipient.ts'
import { bellChannel, prepareIntent } from '../../../messages/deliveries/expand/write-intent.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { withAttachments } from '../attachments.ts'
import type { CommentedRecord } from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import { readerOf } from '../readers.ts'
import type { Comment } from '../rows/comment-row.ts'
import { withNames } from './mentions.ts'

/** Of the 1,000 characters of a notice; the rest is for the names of attachments. */
const excerptCharacters = 800

/**
 * The notifications of a comment, for its transaction: of the people it mentions, and of those who watch. Only those who
 * may read the comment are notified, and never its author.
 */
export async function commentIntents(
  comments: CommentDependencies,
  writer: Principal & { readonly name: string },
  table: Table,
  comment: Comment,
  found: Pick<CommentedRecord, 'item' | 'record' | 'merged'>,
  { mentioned, watching }: { readonly mentioned: readonly number[]; readonly watching: Iterable<number> },
): Promise<Write[]> {
  const { store, clock } = comments
  const { tenant, userId, impersonatorId } = writer
  const ids = [...new Set([...mentioned, ...watching])].filter((id) => id !== userId).slice(0, maxToldOfComment)
  if (ids.length === 0) return []
  const [readers, names] = await Promise.all([
    readersAmong(comments, writer, comment, ids, found),
    namesOf(store, tenant, [userId, ...comment.mentions]),
  ])
  const excerpt = withNames(comment.body, names).slice(0, excerptCharacters).toWellFormed()
  const body = withAttachments(excerpt, comment.attachments)
  const author = names.get(userId) ?? writer.name
  const notify = (category: 'mention' | 'comment', title: string, recordId: number, to: readonly number[]): Write => {
    const { write } = prepareIntent(clock, tenant, {
      channel: bellChannel,
      recipients: to.map(userRecipient),
      content: { subject: `${title} ${table.label} ${recordId}`, body, notice: { url: null, category } },
      source: {
        model: table.name,
        record_id: recordId,
        ...(userId !== 0 && { user_id: userId }),
        ...(impersonatorId !== undefined && { impersonator_id: impersonatorId }),
        ...(comment.isInternal && { is_internal: true }),
      },
      ...(comment.from?.email && { answers: answersTo([comment.from.email]) }),
    })
    return write
  }
  // Who follows a request that was merged knows its own record only.
  return [...new Set(readers.values())].flatMap((recordId) => {
    const those = [...readers.keys()].filter((id) => readers.get(id) === recordId)
    const [named, others] = [
      those.filter((id) => mentioned.includes(id)),
      those.filter((id) => !mentioned.includes(id)),
    ]
    return [
      ...(named.length === 0 ? [] : [notify('mention', `${author} mentioned you in`, recordId, named)]),
      ...(others.length === 0 ? [] : [notify('comment', `${author} commented on`, recordId, others)]),
    ]
  })
}

/** Those of the active people who may read the comment, with the record as which they know what it is about. */
async function readersAmong(
  comments: CommentDependencies,
  { tenant }: Principal,
  comment: Comment,
  ids: readonly number[],
  found: Pick<CommentedRecord, 'item' | 'record' | 'merged'>,
): Promise<ReadonlyMap<number, number>> {
  const people = await findPeople(comments.store, tenant, { ids }, { searchesEmail: false })
  const readers = new Map<number, number>()
  const readsAs = readerOf(comments, tenant, comment, found)
  for (const user of people) {
    const recordId = await readsAs(user)
    if (recordId !== undefined) readers.set(user.id, recordId)
  }
  return readers
}
