import { namesOf } from '../../../accounts/people/user.ts'
import { maxShownComments } from '../../../kernel/limits/portal.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { hidesAgentNames } from '../../../platform/settings/read-settings.ts'
import { discussionKey } from '../../../platform/store/keys/comments.ts'
import { openRequesterView, type RequesterView } from '../../../records/comments/requester-view.ts'
import type { Comment } from '../../../records/comments/rows/comment-row.ts'
import { readAdded } from '../../../records/comments/rows/discussion-row.ts'
import { withNames } from '../../../records/comments/write/mentions.ts'
import { requestFollowers } from '../../../records/portal-requests/followers.ts'
import { attachedFiles } from '../../../tables/files/describe-file.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { ConversationEntry } from '../schema.ts'
import type { OpenedRequest } from './open-request.ts'

/** What of the comments on its records the people of a request read. */
export const viewOf = (
  { records: { store }, config }: PortalDependencies,
  { tenant }: Caller,
  { request, chain }: Pick<OpenedRequest, 'request' | 'chain'>,
): Promise<RequesterView> =>
  openRequesterView({ store, config, requests: requestFollowers({ store }) }, tenant, request.model, chain)

/**
 * The latest public comments of a request, oldest first; mails that came in and replies by mail are among them. Internal
 * comments are in another partition, which is not read.
 */
export async function readConversation(
  services: PortalDependencies,
  caller: Caller,
  opened: OpenedRequest,
): Promise<{ readonly conversation: ConversationEntry[]; readonly has_more: boolean }> {
  const { records, config } = services
  const { store } = records
  const { tenant } = caller
  const { model, recordId, userId: requester } = opened.request
  const latest = await (await viewOf(services, caller, opened)).latest(maxShownComments + 1)
  const comments = latest.slice(0, maxShownComments).toReversed()
  const [names, attachedFile, hidesNames, discussion] = await Promise.all([
    namesOf(
      store,
      tenant,
      comments.flatMap(({ userId, mentions }) => [userId, ...mentions]),
    ),
    attachedFiles(
      store,
      tenant,
      comments.flatMap(({ attachments }) => attachments),
    ),
    hidesAgentNames(config, tenant),
    store.get(tenant, discussionKey(tenant, model, recordId)),
  ])
  const requesters = new Set([requester, ...readAdded(discussion)])
  const shownNames = new Map([...names].map(([id, name]) => [id, hidesNames && !requesters.has(id) ? '…' : name]))
  const isTeam = ({ userId, from }: Comment): boolean => from === undefined && !requesters.has(userId)
  return {
    conversation: comments.map((one) => ({
      id: one.id,
      author: {
        name: one.from ? one.from.name : isTeam(one) && hidesNames ? null : (names.get(one.userId) ?? 'Unknown user'),
        is_you: one.from === undefined && one.userId === caller.userId,
        is_team: isTeam(one),
      },
      body: withNames(one.body, shownNames),
      attachments: one.attachments.map(attachedFile),
      is_edited: one.version > 1,
      created_at: one.createdAt,
    })),
    has_more: latest.length > maxShownComments,
  }
}
