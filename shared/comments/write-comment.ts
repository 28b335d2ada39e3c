import { isoTime } from '../kernel/clock.ts'
import { Fault } from '../kernel/faults.ts'
import type { Caller } from '../kernel/principal.ts'
import { type AnswerCodec, keyedRequest } from '../records/service.ts'
import { commit } from '../store/commit.ts'
import { isNew } from '../store/conditions.ts'
import { packJson, readPackedJson } from '../store/pack-json.ts'
import { TransactionRefused } from '../store/refusals.ts'
import { retryWithJitter } from '../store/retry-with-jitter.ts'
import { reserveIds } from '../store/sequence.ts'
import type { Write } from '../store/store.ts'
import { attachmentWrites, requireFiles } from './attachments.ts'
import { commentIntents } from './comment-intents.ts'
import { type Comment, commentItem, commentSequence } from './comment-row.ts'
import {
  type PreloadedRows,
  readCommentedRecord,
  recordLives,
  type RecordRef,
  requireUpdate,
} from './commented-record.ts'
import type { CommentDependencies } from './dependencies.ts'
import { addCommenter, countComments, saveDiscussion } from './discussion-row.ts'
import { mentionsIn } from './mentions.ts'
import type { CommentInput } from './schema.ts'
import { watchersOf } from './watchers-of.ts'

const commentAnswer: AnswerCodec<Comment> = {
  write: (comment) => ({ answer: packJson(comment) }),
  read: (item) => readPackedJson<Comment>(item, 'answer') as Comment,
}

/**
 * Writes a comment on a record that lives, in one transaction with the claims of its files and the notifications of
 * people. `key`: an Idempotency-Key; the same request under the same key writes no second comment. Throws NotFound,
 * Forbidden for an internal one without update, and Invalid.
 */
export async function writeComment(
  deps: CommentDependencies,
  caller: Caller,
  record: RecordRef,
  input: CommentInput,
  { key, preloaded }: { readonly key?: string; readonly preloaded?: PreloadedRows } = {},
): Promise<Comment> {
  if (key === undefined) return storeComment(deps, caller, record, input, () => [], preloaded)
  const route = `POST /api/e/${record.model}/${record.id}/comments`
  const request = keyedRequest(deps, caller, route, key, input, commentAnswer)
  const known = await request.earlier()
  if (known) return known
  try {
    return await storeComment(deps, caller, record, input, (comment) => [request.claim(comment)], preloaded)
  } catch (error) {
    // An equal request may have been faster and be the cause of the refusal.
    const faster = error instanceof TransactionRefused || error instanceof Fault ? await request.earlier() : undefined
    if (faster) return faster
    throw error
  }
}

async function storeComment(
  deps: CommentDependencies,
  caller: Caller,
  record: RecordRef,
  { body, is_internal: isInternal = false, attachments = [] }: CommentInput,
  claims: (comment: Comment) => readonly Write[],
  preloaded?: PreloadedRows,
): Promise<Comment> {
  const { store, clock } = deps
  const { tenant, userId, impersonatorId } = caller
  const { model, id: recordId } = record
  let rows = preloaded
  let id: number | undefined
  return retryWithJitter(clock, async (again) => {
    const found = await readCommentedRecord(deps, caller, record, rows)
    rows = undefined
    if (isInternal) requireUpdate(found, 'write an internal comment')
    const [table, mentions] = await Promise.all([
      deps.tables.require(tenant, model),
      mentionsIn(store, tenant, body),
      requireFiles(deps, tenant, attachments),
    ])
    id ??= await reserveIds(store, tenant, commentSequence, 1)
    const now = isoTime(clock.now())
    const comment: Comment = {
      id,
      model,
      recordId,
      body,
      isInternal,
      attachments: [...new Set(attachments)],
      mentions,
      userId,
      ...(impersonatorId !== undefined && { impersonatorId }),
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    const watching = watchersOf(table, found.record, found.discussion, { seesInternal: true }).keys()
    const intents = await commentIntents(deps, caller, table, comment, found, { mentioned: mentions, watching })
    const discussion = addCommenter(countComments(found.discussion, isInternal, 1), userId, isInternal)
    await commit(
      store,
      tenant,
      [
        recordLives(tenant, record),
        { put: commentItem(tenant, comment), if: isNew },
        saveDiscussion(tenant, model, recordId, discussion),
        ...attachmentWrites(deps, tenant, comment, undefined, comment).writes,
        ...intents,
        ...claims(comment),
      ],
      clock.uuid(),
      again,
    )
    return comment
  })
}
