import { namesOf } from '../../accounts/people/user.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Store } from '../../platform/store/store.ts'
import { attachedFiles } from '../../tables/files/describe-file.ts'
import type { Comment } from './rows/comment-row.ts'
import type { CommentAnswer } from './schema.ts'

/** Comments as they are answered, with the current names of people, and the files that are attached. */
export async function describeComments(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  comments: readonly Comment[],
): Promise<CommentAnswer[]> {
  const ids = comments.flatMap(({ userId, impersonatorId, mentions }) => [
    userId,
    impersonatorId ?? userId,
    ...mentions,
  ])
  const [names, attachedFile] = await Promise.all([
    namesOf(store, tenant, ids),
    attachedFiles(
      store,
      tenant,
      comments.flatMap(({ attachments }) => attachments),
    ),
  ])
  const person = (id: number) => ({ id, name: names.get(id) ?? 'Unknown user' })
  return comments.map((one) => ({
    id: one.id,
    body: one.body,
    is_internal: one.isInternal,
    attachments: one.attachments.map(attachedFile),
    mentions: one.mentions.map(person),
    user: one.from ? null : person(one.userId),
    ...(one.from && { from: one.from }),
    ...(one.cc && { cc: [...one.cc] }),
    ...(one.conversation !== undefined && { conversation: one.conversation }),
    ...(one.forward !== undefined && { conversation: -one.forward }),
    ...(one.to !== undefined && { to: one.to }),
    ...(one.forwarded && { forwarded: one.forwarded }),
    ...(one.messageId !== undefined && { message_id: one.messageId }),
    ...(one.impersonatorId !== undefined && { impersonator: person(one.impersonatorId) }),
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    is_edited: one.version > 1,
    version: one.version,
  }))
}
