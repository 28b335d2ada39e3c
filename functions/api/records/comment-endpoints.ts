import { forwardMessages } from '../../../shared/automation/replies/forward-messages.ts'
import type { TenantRef } from '../../../shared/kernel/tenancy.ts'
import { readIdempotencyKey } from '../../../shared/platform/http/routing/idempotency-key.ts'
import { type CallerRequest, implement, type Implementation } from '../../../shared/platform/http/routing/implement.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { commentedRecordKeys } from '../../../shared/records/comments/commented-record.ts'
import { describeComments } from '../../../shared/records/comments/describe-comments.ts'
import { listComments } from '../../../shared/records/comments/list-comments.ts'
import { mentionablePeople } from '../../../shared/records/comments/readers.ts'
import { addWatchers, removeWatchers } from '../../../shared/records/comments/watchers/change-watchers.ts'
import { listWatchers } from '../../../shared/records/comments/watchers/watchers-of.ts'
import { changeComment, removeComment } from '../../../shared/records/comments/write/change-comment.ts'
import { writeComment } from '../../../shared/records/comments/write/write-comment.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { comments } from '../../wiring/records/comments.ts'
import { replies } from '../../wiring/records/replies.ts'
import * as route from './comment-routes.ts'

type Written = Awaited<ReturnType<typeof writeComment>>

const rows = (tenant: TenantRef, params: { model: string; id: number }) => commentedRecordKeys(tenant, params)
type OfRecord = Pick<CallerRequest<typeof route.listWatchers>, 'caller' | 'params' | 'preloaded'>
const preloadedRows = ({ caller, params, preloaded }: OfRecord) =>
  commentedRecordKeys(caller.tenant, params).map((key) => preloaded.get(key) as Item | null)

async function answer({ tenant }: OfRecord['caller'], comment: Written) {
  const [described] = await describeComments(comments.store, tenant, [comment])
  return described as NonNullable<typeof described>
}

/** What answers the routes of comments and watchers. */
export const commentEndpoints: readonly Implementation[] = [
  implement(
    route.listComments,
    (request) => listComments(comments, request.caller, request.params, request.query, preloadedRows(request)),
    rows,
  ),
  implement(
    route.writeComment,
    async (request) => {
      const key = readIdempotencyKey(request.headers['idempotency-key'])
      const options = { ...(key !== undefined && { key }), preloaded: preloadedRows(request) }
      const comment = await writeComment(comments, request.caller, request.params, request.body, options)
      return answer(request.caller, comment)
    },
    rows,
  ),
  implement(route.forwardMessages, async ({ caller, params, body, headers }) => {
    const key = readIdempotencyKey(headers['idempotency-key'])
    return answer(caller, await forwardMessages({ replies, comments, ...lazyObjects }, caller, params, body, key))
  }),
  implement(route.changeComment, async ({ caller, params, body, ifMatch }) =>
    answer(caller, await changeComment(comments, caller, params, params.comment_id, body, ifMatch)),
  ),
  implement(route.removeComment, ({ caller, params, ifMatch }) =>
    removeComment(comments, caller, params, params.comment_id, ifMatch),
  ),
  implement(
    route.listWatchers,
    (request) => listWatchers(comments, request.caller, request.params, preloadedRows(request)),
    rows,
  ),
  implement(route.getMentionable, ({ caller, params, query }) => mentionablePeople(comments, caller, params, query)),
  implement(route.addWatchers, ({ caller, params, body }) => addWatchers(comments, caller, params, body)),
  implement(route.removeWatchers, ({ caller, params, body }) => removeWatchers(comments, caller, params, body)),
]
