import { Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { commentPartition } from '../../../platform/store/keys/comments.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import {
  afterMessage,
  type ConversationParts,
  type FirstConversation,
} from '../../../platform/store/rows/conversation-state.ts'
import type { Write } from '../../../platform/store/store.ts'
import { atVersion, isNew } from '../../../platform/store/writes/conditions.ts'
import { attachmentWrites, letGo } from '../attachments.ts'
import {
  discussionAt,
  homesOf,
  readCommentedRecord,
  type RecordRef,
  requireMayWrite,
  requireUnmerged,
} from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import { type Comment, commentItem, readComment } from '../rows/comment-row.ts'
import { addCommenter, countComments, readDiscussion, saveDiscussion } from '../rows/discussion-row.ts'
import { takeFromConversation } from './conversation-step.ts'

type Dependencies = Pick<CommentDependencies, 'store' | 'clock' | 'tables' | 'access'>

/** Comments that leave a record for a new one. */
export interface SplitComments {
  readonly comments: readonly Comment[]
  /** The ids of the record and of those merged into it: messages belong to one of them. */
  readonly homes: readonly number[]
  /** The writes that move them, refused when one of them has changed since. */
  readonly moveTo: (id: number) => readonly Write[]
  /** The conversations of the record afterwards, and those of the new one; undefined where none of the comments is part of one. */
  readonly left: ConversationParts | undefined
  readonly taken: FirstConversation | undefined
  /** Lets go of what the record held, once the writes are stored. */
  readonly moved: () => Promise<void>
}

/**
 * Finds the comments of a split: those named, and those that came in as one of the messages. Throws NotFound when the viewer
 * may not read the record, Forbidden without the permission for their kind, and Invalid for an id that is not one of them.
 */
export async function splitComments(
  comments: Dependencies,
  viewer: Viewer,
  ref: RecordRef,
  { commentIds, messageIds }: { readonly commentIds: readonly number[]; readonly messageIds: readonly number[] },
): Promise<SplitComments> {
  const { store, clock } = comments
  const { tenant } = viewer
  const { model } = ref
  const found = await readCommentedRecord(comments, viewer, ref)
  requireUnmerged(ref, found)
  const homes = homesOf(found)
  const kinds = found.seesInternal ? [false, true] : [false]
  const all: Comment[] = []
  for (const home of homes)
    for (const isInternal of kinds)
      all.push(
        ...(await readAll(store, tenant, { pk: commentPartition(tenant, model, home, isInternal) })).map(readComment),
      )
  const known = new Set(all.map(({ id }) => id))
  const errors = Object.fromEntries(
    commentIds.flatMap((id, index) =>
      known.has(id) ? [] : [[`comment_ids.${index}`, [say('no_such_comment', { id, model, record: ref.id })]]],
    ),
  )
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const parts = all.filter(
    ({ id, messageId }) => commentIds.includes(id) || (messageId !== undefined && messageIds.includes(messageId)),
  )
  for (const { isInternal } of parts) requireMayWrite(viewer, model, isInternal)
  const releases = parts.map((one) =>
    attachmentWrites({ clock }, tenant, { ...one, version: one.version + 1 }, one, undefined),
  )
  const said = parts.flatMap(({ side: by, createdAt: at }) => (by ? [{ at, by }] : []))
  const table = await comments.tables.require(tenant, model)
  const remaining = await takeFromConversation(comments, tenant, table, parts, found)
  return {
    comments: parts,
    left: remaining?.parts,
    taken:
      said.length === 0
        ? undefined
        : (id) =>
            said.reduce<ConversationParts>((before, one) => afterMessage(before, id, one, { isClosed: false }), {}),
    homes,
    moveTo(id) {
      const moved = parts.map((one) => ({
        ...one,
        recordId: id,
        // It is the conversation of the new record's requester from now on.
        ...(one.through !== undefined && { through: id }),
        version: one.version + 1,
      }))
      let there = readDiscussion(undefined)
      for (const { isInternal, userId } of moved) {
        const counted = countComments(there, isInternal, 1)
        there = userId === 0 ? counted : addCommenter(counted, userId, isInternal)
      }
      const emptied = homes.flatMap((home) => {
        const own = parts.filter(({ recordId }) => recordId === home)
        const left = own.reduce(
          (rest, { isInternal }) => countComments(rest, isInternal, -1),
          discussionAt(found, home),
        )
        return own.length === 0 ? [] : [saveDiscussion(tenant, model, home, left)]
      })
      return [
        ...parts.map((one): Write => ({ remove: keyOfItem(commentItem(tenant, one)), if: atVersion(one.version) })),
        ...moved.flatMap((one): Write[] => [
          { put: commentItem(tenant, one), if: isNew },
          ...attachmentWrites({ clock }, tenant, one, undefined, one).writes,
        ]),
        ...releases.flatMap(({ writes }) => writes),
        ...emptied,
        ...(moved.length === 0 ? [] : [saveDiscussion(tenant, model, id, there)]),
      ]
    },
    async moved() {
      for (const one of releases) await letGo({ store, clock }, tenant, one)
    },
  }
}
