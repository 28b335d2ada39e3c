import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Forbidden, Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import { maxMuted, maxWatchers } from '../../../kernel/limits/comments.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import {
  type CommentedRecord,
  readCommentedRecord,
  recordLives,
  type RecordRef,
  recordRemains,
  requireUnmerged,
} from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import { addedByOthers, type Discussion, saveDiscussion } from '../rows/discussion-row.ts'
import type { WatcherAnswer, WatchersInput } from '../schema.ts'
import { describeWatchers, watchersOf } from './watchers-of.ts'

/**
 * Adds watchers: the caller, or the users of the input, for whom the caller needs update on the record. Throws NotFound,
 * Forbidden and Invalid.
 */
export async function addWatchers(
  comments: CommentDependencies,
  caller: Caller,
  ref: RecordRef,
  input: WatchersInput,
): Promise<WatcherAnswer> {
  const ids = wantedIds(caller, input)
  const found = await changeWatchers(comments, caller, ref, ids, adding(comments, caller, ids, input))
  return describeWatchers(comments, caller, ref, found)
}

/**
 * Adds people to a request of the portal, for whom its requester asks: also to one that was merged into another, whose
 * conversation stays its own. Throws NotFound and Invalid.
 */
export async function addFollowers(
  comments: CommentDependencies,
  caller: Caller,
  ref: RecordRef,
  input: WatchersInput,
): Promise<void> {
  const ids = wantedIds(caller, input)
  await changeWatchers(comments, caller, ref, ids, adding(comments, caller, ids, input), { isRequest: true })
}

type Change = (before: Discussion, found: CommentedRecord) => Promise<Discussion>

const adding =
  (comments: CommentDependencies, caller: Caller, ids: readonly number[], input: WatchersInput): Change =>
  async (before) => {
    const added = before.added.concat(ids.filter((id) => !before.added.includes(id)))
    if (added.length > maxWatchers) throw new Invalid({ user_ids: [say('too_many_watchers', { max: maxWatchers })] })
    await requirePeople(comments, caller, input?.user_ids ?? [])
    const newlyBySelf = ids.filter((id) => id === caller.userId && !before.added.includes(id))
    const self = (before.self ?? []).filter((id) => id === caller.userId || !ids.includes(id)).concat(newlyBySelf)
    return { ...before, added, self, muted: before.muted.filter((id) => !ids.includes(id)) }
  }

/**
 * Stops users from watching, also those who would by themselves, until they are added again. Throws NotFound, Forbidden
 * and Invalid.
 */
export async function removeWatchers(
  comments: CommentDependencies,
  caller: Caller,
  ref: RecordRef,
  input: WatchersInput,
): Promise<void> {
  const ids = wantedIds(caller, input)
  await changeWatchers(comments, caller, ref, ids, removing(comments, caller, ref, ids))
}

/** Takes people from a request of the portal, as `addFollowers` adds them. Throws NotFound and Invalid. */
export async function removeFollowers(
  comments: CommentDependencies,
  caller: Caller,
  ref: RecordRef,
  input: WatchersInput,
): Promise<void> {
  const ids = wantedIds(caller, input)
  await changeWatchers(comments, caller, ref, ids, removing(comments, caller, ref, ids), { isRequest: true })
}

const removing =
  (comments: CommentDependencies, caller: Caller, ref: RecordRef, ids: readonly number[]): Change =>
  async (before, { record, merged }) => {
    const table = await comments.tables.require(caller.tenant, ref.model)
    const watching = watchersOf(table, record, before, { seesInternal: true }, merged)
    const muted = before.muted.concat(ids.filter((id) => watching.has(id)))
    if (muted.length > maxMuted)
      throw new Invalid({ user_ids: [`At most ${maxMuted} people may stop watching a record.`] })
    const without = (people: readonly number[]) => people.filter((id) => !ids.includes(id))
    return { ...before, added: without(before.added), self: without(before.self ?? []), muted }
  }

/**
 * Stops a person from being notified of a record, or takes that back. It takes away and gives no right: whoever was added to a
 * request still follows it. The caller acts with the rights of the service. Throws NotFound for a record that is gone.
 */
export async function setMuted(
  comments: CommentDependencies,
  caller: Caller,
  ref: RecordRef,
  isMuted: boolean,
): Promise<void> {
  const { userId } = caller
  const muting: Change = async (before) => {
    const others = before.muted.filter((id) => id !== userId)
    if (isMuted && others.length >= maxMuted)
      throw new Invalid({ user_ids: [`At most ${maxMuted} people may stop watching a record.`] })
    return { ...before, muted: isMuted ? [...others, userId] : others }
  }
  await changeWatchers(comments, caller, ref, [userId], muting, { isRequest: true })
}

const wantedIds = ({ userId }: Caller, input: WatchersInput): number[] => [...new Set(input?.user_ids ?? [userId])]

async function changeWatchers(
  comments: CommentDependencies,
  caller: Caller,
  ref: RecordRef,
  ids: readonly number[],
  change: Change,
  { isRequest = false }: { readonly isRequest?: boolean } = {},
): Promise<CommentedRecord> {
  const { store, clock } = comments
  const { tenant, userId } = caller
  return retryWithJitter(clock, async (again) => {
    const found = await readCommentedRecord(comments, caller, ref)
    if (!isRequest) requireUnmerged(ref, found)
    if (!isRequest && ids.some((id) => id !== userId)) await requireUpdate(comments, caller, ref, found)
    const before = found.discussion
    const after = await change(before, found)
    const [followed, follow] = [before, after].map(addedByOthers) as [readonly number[], readonly number[]]
    if (isSame(before.added, after.added) && isSame(before.muted, after.muted) && isSame(followed, follow)) return found
    const save = saveDiscussion(tenant, ref.model, ref.id, after)
    const listed =
      (await comments.requests?.listWrites(tenant, ref, {
        added: follow.filter((id) => !followed.includes(id)),
        removed: followed.filter((id) => !follow.includes(id)),
      })) ?? []
    await commit(
      store,
      tenant,
      [(isRequest ? recordRemains : recordLives)(tenant, ref), save, ...listed],
      clock.uuid(),
      again,
    )
    return { ...found, discussion: after }
  })
}

/** Throws Forbidden when the caller may not update the record, which choosing other watchers needs. */
async function requireUpdate(
  { access }: CommentDependencies,
  caller: Caller,
  { model }: RecordRef,
  { item }: CommentedRecord,
): Promise<void> {
  const [permitted] = await access.permitted(caller, model, 'update', [item])
  if (!permitted)
    throw new Forbidden(
      'record_forbidden',
      'Your roles do not allow you to choose who else watches this record: it needs update.',
    )
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])

async function requirePeople(
  { store }: CommentDependencies,
  { tenant, userId }: Caller,
  ids: readonly number[],
): Promise<void> {
  if (ids.every((id) => id === userId)) return
  const people = await findPeople(store, tenant, { ids }, { searchesEmail: false })
  const active = new Set([userId, ...people.map(({ id }) => id)])
  const errors: FieldErrors = byName()
  for (const [index, id] of ids.entries())
    if (!active.has(id)) errors[`user_ids.${index}`] = [say('no_active_user', {})]
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}
