import { findPeople, namesOf } from '../../../accounts/service.ts'
import { maxToldOfComment } from '../../../kernel/limits/comments.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { answersTo, bellChannel, prepareIntent, userRecipient } from '../../../messages/deliveries/service.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Table } from '../../../tables/tables/service.ts'
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
  { item }: Pick<CommentedRecord, 'item'>,
  { mentioned, watching }: { readonly mentioned: readonly number[]; readonly watching: Iterable<number> },
): Promise<Write[]> {
  const { store, clock } = comments
  const { tenant, userId, impersonatorId } = writer
  const ids = [...new Set([...mentioned, ...watching])].filter((id) => id !== userId).slice(0, maxToldOfComment)
  if (ids.length === 0) return []
  const [readers, names] = await Promise.all([
    readersAmong(comments, writer, comment, ids, item),
    namesOf(store, tenant, [userId, ...comment.mentions]),
  ])
  const excerpt = withNames(comment.body, names).slice(0, excerptCharacters).toWellFormed()
  const body = withAttachments(excerpt, comment.attachments)
  const about = `${table.label} ${comment.recordId}`
  const author = names.get(userId) ?? writer.name
  const notify = (category: 'mention' | 'comment', title: string, to: readonly number[]): Write[] => {
    if (to.length === 0) return []
    const { write } = prepareIntent(clock, tenant, {
      channel: bellChannel,
      recipients: to.map(userRecipient),
      content: { subject: title, body, notice: { url: null, category } },
      source: {
        model: table.name,
        record_id: comment.recordId,
        ...(userId !== 0 && { user_id: userId }),
        ...(impersonatorId !== undefined && { impersonator_id: impersonatorId }),
        ...(comment.isInternal && { is_internal: true }),
      },
      ...(comment.from?.email && { answers: answersTo([comment.from.email]) }),
    })
    return [write]
  }
  const named = readers.filter((id) => mentioned.includes(id))
  const others = readers.filter((id) => !mentioned.includes(id))
  return [
    ...notify('mention', `${author} mentioned you in ${about}`, named),
    ...notify('comment', `${author} commented on ${about}`, others),
  ]
}

/** Those of the active people who may read the comment. */
async function readersAmong(
  comments: CommentDependencies,
  { tenant }: Principal,
  comment: Comment,
  ids: readonly number[],
  item: CommentedRecord['item'],
): Promise<number[]> {
  const people = await findPeople(comments.store, tenant, { ids }, { searchesEmail: false })
  const readers: number[] = []
  const mayRead = readerOf(comments, tenant, comment, item)
  for (const user of people) if (await mayRead(user)) readers.push(user.id)
  return readers
}
