import type { Caller } from '../../kernel/principal.ts'
import { cursorCodec, cursorPart } from '../../platform/http/paging/cursor.ts'
import { pageTooLarge } from '../../platform/http/paging/fit-page.ts'
import type { PageQuery } from '../../platform/http/paging/page-query.ts'
import { countFitting } from '../../platform/http/routing/answer-size.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { commentPartition, commentSort } from '../../platform/store/keys/comments.ts'
import { readMerged } from '../../platform/store/ranges/merge-shards.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { discussionAt, homesOf, type PreloadedRows, readCommentedRecord, type RecordRef } from './commented-record.ts'
import type { CommentDependencies } from './dependencies.ts'
import { describeComments } from './describe-comments.ts'
import { readComment } from './rows/comment-row.ts'
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
