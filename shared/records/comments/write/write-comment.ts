import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { Caller, Principal } from '../../../kernel/principal.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Write } from '../../../platform/store/store.ts'
import { packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { type AnswerCodec, keyedRequest } from '../../records/write/keyed-request.ts'
import { attachmentWrites, requireFiles } from '../attachments.ts'
import { type PreloadedRows, type RecordRef, requireMayWrite } from '../commented-record.ts'
import { type CommentDependencies, isOfForward } from '../dependencies.ts'
import { type Comment, commentItem, commentSequence } from '../rows/comment-row.ts'
import { addCommenter, countComments, readDiscussion, saveDiscussion } from '../rows/discussion-row.ts'
import type { CommentInput, SendWay } from '../schema.ts'
import { type NewComment, storeComment } from './store-comment.ts'

const commentAnswer: AnswerCodec<Comment> = {
  write: (comment) => ({ answer: packJson(comment) }),
  read: (item) => readPackedJson<Comment>(item, 'answer') as Comment,
}

/**
 * Writes a comment on a record that lives, in one transaction with the claims of its files and the notifications of
 * people. `key`: an Idempotency-Key; the same request under the same key writes no second comment. Throws NotFound,
 * Forbidden without the permission for its kind, and Invalid.
 */
export async function writeComment(
  comments: CommentDependencies,
  caller: Caller,
  record: RecordRef,
  input: CommentInput,
  { key, preloaded }: { readonly key?: string; readonly preloaded?: PreloadedRows } = {},
): Promise<Comment> {
  const { body, attachments = [], send, cc, subject, conversation } = input
  // What goes to somebody else outside is never for the customer.
  const isOfForwarding = isOfForward({ conversation })
  const isInternal = isOfForwarding || (input.is_internal ?? false)
  // Before the key as well: its answer shows the comment.
  requireMayWrite(caller, record.model, isInternal)
  if (!isOfForwarding) requireSendable(isInternal, send)
  requireMail(input)
  const content = {
    body,
    isInternal,
    attachments,
    send,
    ...(cc && cc.length > 0 && { cc: [...new Set(cc)] }),
    subject,
    conversation,
  }
  const route = `POST /api/e/${record.model}/${record.id}/comments`
  return storeOnce(comments, caller, record, content, { route, key, input, preloaded })
}

/** A request that stores a comment, under its `Idempotency-Key` where it has one. */
interface CommentRequest {
  readonly route: string
  readonly key?: string | undefined
  readonly input: object
  readonly preloaded?: PreloadedRows | undefined
}

/** Stores a comment, of equal requests under one key once. Throws as `storeComment`, and Invalid for a key of another request. */
export async function storeOnce(
  comments: CommentDependencies,
  caller: Caller,
  record: RecordRef,
  content: NewComment,
  { route, key, input, preloaded }: CommentRequest,
): Promise<Comment> {
  if (key === undefined) return storeComment(comments, caller, record, content, () => [], preloaded)
  const request = keyedRequest(comments, caller, route, key, input, commentAnswer)
  const known = await request.earlier()
  if (known) return known
  try {
    return await storeComment(comments, caller, record, content, (comment) => [request.claim(comment)], preloaded)
  } catch (error) {
    // An equal request may have been faster and be the cause of the refusal.
    const faster = error instanceof TransactionRefused || error instanceof Fault ? await request.earlier() : undefined
    if (faster) return faster
    throw error
  }
}

/** Throws Invalid where something that only a mail has would be ignored. */
function requireMail({ send, cc, subject }: CommentInput): void {
  if (send === 'email') return
  const given = Object.entries({ cc, subject }).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  const problem = 'Only a reply by mail has it: add send with the value "email", or leave it out.'
  throw new Invalid(Object.fromEntries(given.map(([name]) => [name, [problem]])))
}

/** Throws Invalid for a note that would be sent. */
function requireSendable(isInternal: boolean, send: SendWay | undefined): void {
  if (isInternal && send !== undefined && send !== 'none') throw new Invalid({ send: [say('note_not_sent', {})] })
}

/**
 * A public comment for the transaction that makes its record: the writes for the id that the record gets. Nobody is
 * notified of it, since the record itself is new. Throws Invalid for files that were not uploaded.
 */
export async function prepareFirstComment(
  comments: CommentDependencies,
  { tenant, userId, impersonatorId }: Principal,
  model: string,
  { body, attachments }: Pick<Comment, 'body' | 'attachments'>,
): Promise<(recordId: number) => readonly Write[]> {
  const { store, clock } = comments
  await requireFiles(comments, tenant, attachments)
  const id = await reserveIds(store, tenant, commentSequence, 1)
  const now = isoTime(clock.now())
  return (recordId) => {
    const comment: Comment = {
      id,
      model,
      recordId,
      body,
      isInternal: false,
      attachments: [...new Set(attachments)],
      mentions: [],
      userId,
      ...(impersonatorId !== undefined && { impersonatorId }),
      through: recordId,
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    const discussion = addCommenter(countComments(readDiscussion(null), false, 1), userId, false)
    return [
      { put: commentItem(tenant, comment), if: isNew },
      saveDiscussion(tenant, model, recordId, discussion),
      ...attachmentWrites(comments, tenant, comment, undefined, comment).writes,
    ]
  }
}
