import { namesOf } from '../../../accounts/service.ts'
import { maxShownComments } from '../../../kernel/limits/portal.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { hidesAgentNames } from '../../../platform/settings/service.ts'
import { commentPartition, discussionKey } from '../../../platform/store/keys/comments.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readMerged } from '../../../platform/store/ranges/merge-shards.ts'
import { readMergedRecords } from '../../../platform/store/ranges/merged-records.ts'
import { readRecordHead } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { type Comment, readAdded, readComment, withNames } from '../../../records/comments/service.ts'
import { attachedFiles } from '../../../tables/files/service.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { ConversationEntry } from '../schema.ts'
import type { OpenedRequest } from './open-request.ts'

type Opened = Pick<OpenedRequest, 'request' | 'record'>

/** The records whose comments are those of a request: its own, and those that were merged into it. */
export async function homesOf(
  { records: { store } }: PortalDependencies,
  { tenant }: Caller,
  { request, record }: Opened,
) {
  const { model, recordId } = request
  if (record.mergedFrom === undefined) return [recordId]
  const item = await store.get(tenant, recordKey(tenant, model, recordId))
  const merged = await readMergedRecords(store, tenant, model, item)
  return [recordId, ...merged.map((one) => readRecordHead(one).id)]
}

/**
 * The latest public comments of a request, oldest first; mails that came in and replies by mail are among them. Internal
 * comments are in another partition, which is not read.
 */
export async function readConversation(
  services: PortalDependencies,
  caller: Caller,
  opened: Opened,
): Promise<{ readonly conversation: ConversationEntry[]; readonly has_more: boolean }> {
  const { records, config } = services
  const { store } = records
  const { tenant } = caller
  const { model, recordId, userId: requester } = opened.request
  const homes = await homesOf(services, caller, opened)
  const shards = homes.map((home) => ({ pk: commentPartition(tenant, model, home, false) }))
  const items: Item[] = []
  for await (const page of readMerged(store, tenant, shards, { reverse: true, limit: maxShownComments + 1 }))
    items.push(...page.items)
  const comments = items.slice(0, maxShownComments).map(readComment).toReversed()
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
    has_more: items.length > maxShownComments,
  }
}
