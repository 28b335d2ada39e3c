import { commentReplies } from '../../../shared/automation/replies/comment-replies.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { CommentDependencies } from '../../../shared/records/comments/dependencies.ts'
import { createRecordDiscussions } from '../../../shared/records/comments/record-discussions.ts'
import { requestFollowers } from '../../../shared/records/portal-requests/followers.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'
import { files } from '../tables/files.ts'
import { tables } from '../tables/tables.ts'
import { replies } from './replies.ts'
import { rowAccess } from './row-access.ts'

/** Comments on records, and who watches them. */
export const comments: CommentDependencies = {
  ...files,
  config,
  tables,
  access: rowAccess,
  sendReplies: commentReplies(replies),
  requests: requestFollowers({ store }),
}

/** The comments and watchers of a record that is deleted. */
export const recordDiscussions = createRecordDiscussions({ store, clock })
