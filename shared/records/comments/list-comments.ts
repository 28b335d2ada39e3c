import { NotFound } from '../../kernel/failures/faults.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller, Viewer } from '../../kernel/principal.ts'
import { cursorCodec, cursorPart } from '../../platform/http/paging/cursor.ts'
import { pageTooLarge } from '../../platform/http/paging/fit-page.ts'
import type { PageQuery } from '../../platform/http/paging/page-query.ts'
import { countFitting } from '../../platform/http/routing/answer-size.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { commentKey, commentPartition, commentSort } from '../../platform/store/keys/comments.ts'
import { readMerged } from '../../platform/store/ranges/merge-shards.ts'
import { readSurvivor } from '../../platform/store/ranges/merged-records.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { MayReadComment } from '../../tables/files/open-download.ts'
import {
  type CommentedRecord,
  discussionAt,
  homesOf,
  type PreloadedRows,
  readCommentedRecord,
  type RecordRef,
} from './commented-record.ts'
import type { CommentDependencies } from './dependencies.ts'
import { describeComments } from './describe-comments.ts'
import { type Comment, readComment } from './rows/comment-row.ts'
import type { CommentAnswer } from './schema.ts'

const cursors = cursorCodec('comments', { lastId: cursorPart.id, seen: cursorPart.count })

/**
 * One page of the comments on a record, newest first; internal ones for those with their permission. Throws NotFound when
 * the caller may not read the record.
 */
export async function listComments(
  comments: CommentDependencies,
  caller: Caller,
  ref: RecordRef,
  { page, per_page, cursor }: PageQuery,
  preloaded?: PreloadedRows,
): Promise<Page<CommentAnswer>> {
  const { tenant } = caller
  const found = await readCommentedRecord(comments, caller, ref, preloaded)
  const { record, seesInternal } = found
  const list = `${ref.model} ${ref.id}`
  const position = cursor ? cursors.read(cursor, list) : undefined
  const offset = position?.seen ?? (page - 1) * per_page
  // The comments of a merged record are those of the record that it was merged into.
  const homes = record.mergedInto === undefined ? homesOf(found) : []
  const total = homes
    .map((home) => discussionAt(found, home))
    .reduce((sum, { count, internalCount }) => sum + count + (seesInternal ? internalCount : 0), 0)
  const skip = position ? 0 : offset
  const items = skip >= total && !position ? [] : await read(skip + per_page + 1, position?.lastId)
  const written = items.slice(skip).map(readComment)

  const answers = await describeComments(comments.store, tenant, written.slice(0, per_page))
  const fit = countFitting(answers)
  if (fit < answers.length && !position) throw pageTooLarge(per_page, fit, 'comments')
  const shown = answers.slice(0, fit)
  const last = shown.at(-1)
  const seen = offset + shown.length
  return {
    items: shown,
    total,
    perPage: per_page,
    page: position ? null : page,
    offset,
    nextCursor: last && written.length > shown.length ? cursors.write({ lastId: last.id, seen }, list) : null,
  }

  async function read(limit: number, lastId: number | undefined): Promise<Item[]> {
    const kinds = seesInternal ? [false, true] : [false]
    const shards = kinds.flatMap((isInternal) =>
      homes.map((home) => ({ pk: commentPartition(tenant, ref.model, home, isInternal) })),
    )
    const after = lastId === undefined ? undefined : commentSort(lastId)
    const rows: Item[] = []
    for await (const { items: some } of readMerged(comments.store, tenant, shards, { reverse: true, limit, after }))
      rows.push(...some)
    return rows
  }
}

/** Reads a comment that the viewer may see. Throws NotFound for any other. */
export async function findComment(
  store: Pick<Store, 'getMany'>,
  { tenant }: Pick<Viewer, 'tenant'>,
  { model, id }: RecordRef,
  commentId: number,
  found: Pick<CommentedRecord, 'seesInternal' | 'record' | 'merged'>,
): Promise<Comment> {
  const kinds = found.seesInternal ? [false, true] : [false]
  const items = await store.getMany(
    tenant,
    homesOf(found).flatMap((home) =>
      kinds.map((isInternal) => commentKey(tenant, model, home, { id: commentId, isInternal })),
    ),
  )
  const item = items.find((one) => one !== undefined)
  if (!item) throw new NotFound('comment', { model, id, comment: commentId })
  return readComment(item)
}

/** Tells whether callers may see a comment that holds a file. */
export const commentReader =
  (
    comments: Pick<CommentDependencies, 'tables' | 'access'> & { readonly store: Pick<Store, 'getMany'> },
  ): MayReadComment =>
  async (caller: Caller, { model, id, commentId }, path) => {
    if (!mayOnTable(caller, model, 'read')) return false
    try {
      const survivor = await readSurvivor(comments.store, caller.tenant, { model, id })
      if (!survivor) return false
      const record = await readCommentedRecord(comments, caller, survivor.ref)
      const { attachments } = await findComment(comments.store, caller, survivor.ref, commentId, record)
      return attachments.includes(path)
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  }
