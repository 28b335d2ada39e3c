import { maxCommenters } from '../../../kernel/limits/comments.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { allDiscussionsPartitionOf, discussionKey, discussionSort } from '../../../platform/store/keys/comments.ts'
import { commentSlot, slotEntry } from '../../../platform/store/slots.ts'
import type { Write } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { atRevision, isNew } from '../../../platform/store/writes/conditions.ts'

/** What is known of the comments and watchers of a record as a whole. */
export interface Discussion {
  /** Rises with every write; 0 for a record that nobody has commented on or watched. */
  readonly rev: number
  /** The number of comments that every reader sees, and of internal ones. */
  readonly count: number
  readonly internalCount: number
  /** Who has commented. `internalCommenters` have written internal comments. */
  readonly commenters: readonly number[]
  readonly internalCommenters: readonly number[]
  /** Who was added as a watcher, and who does not want to be one. */
  readonly added: readonly number[]
  readonly muted: readonly number[]
  /** Who of `added` nobody else has added: they watch by their right to read, and follow nothing. */
  readonly self?: readonly number[]
}

export type People = Pick<Discussion, 'commenters' | 'internalCommenters' | 'added' | 'muted' | 'self'>

const nobody: People = { commenters: [], internalCommenters: [], added: [], muted: [] }

/** Reads the row of a discussion; a record without comments and watchers has none. */
export const readDiscussion = (item: Item | null | undefined): Discussion =>
  item
    ? {
        rev: Number(item.rev),
        count: Number(item.count),
        internalCount: Number(item.internal_count),
        ...readJson<People>(item, 'people'),
      }
    : { rev: 0, count: 0, internalCount: 0, ...nobody }

/** The write of a discussion that was read at the `rev` it still has here. */
export function saveDiscussion(tenant: TenantRef, model: string, id: number, discussion: Discussion): Write {
  const { rev, count, internalCount, ...people } = discussion
  const put = {
    ...discussionKey(tenant, model, id),
    kind: 'discussion',
    v: 1,
    model,
    record_id: id,
    rev: rev + 1,
    count,
    internal_count: internalCount,
    people: JSON.stringify(people),
    ...slotEntry(commentSlot, allDiscussionsPartitionOf(tenant, id), discussionSort(model, id)),
  }
  return { put, if: rev === 0 ? isNew : atRevision(rev) }
}

/** The people of a discussion. */
export const readPeople = (item: Item | null | undefined): People => (item ? readJson<People>(item, 'people') : nobody)

/** Whom somebody else has added to a discussion. */
export const addedByOthers = ({ added, self = [] }: Pick<Discussion, 'added' | 'self'>): readonly number[] =>
  added.filter((id) => !self.includes(id))

/** The same of its row. */
export const readAdded = (item: Item | null | undefined): readonly number[] => addedByOthers(readPeople(item))

/** The discussion with so many more, or fewer, comments of a kind. */
export const countComments = (discussion: Discussion, isInternal: boolean, by: number): Discussion =>
  isInternal
    ? { ...discussion, internalCount: discussion.internalCount + by }
    : { ...discussion, count: discussion.count + by }

/** The discussion after a comment of a user. */
export function addCommenter(discussion: Discussion, userId: number, isInternal: boolean): Discussion {
  const name = isInternal ? 'internalCommenters' : 'commenters'
  const known = discussion[name]
  return known.includes(userId) || known.length >= maxCommenters
    ? discussion
    : { ...discussion, [name]: [...known, userId] }
}

/** The watchers of a record as the export of a tenant holds them. */
export const exportedWatchers = (item: Item): object => {
  const { added, muted } = readDiscussion(item)
  return { model: String(item.model), record_id: Number(item.record_id), added, muted }
}
