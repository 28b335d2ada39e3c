import { commentReplies } from '../../../shared/automation/incoming-actions/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { type CommentDependencies, createRecordDiscussions } from '../../../shared/records/comments/service.ts'
import { config } from '../config.ts'
import { files } from '../files.ts'
import { store } from '../store.ts'
import { tables } from '../tables.ts'
import { rowAccess } from './row-access.ts'

/** Comments on records, and who watches them. */
export const comments: CommentDependencies = {
  ...files,
  config,
  tables,
  access: rowAccess,
  sendReplies: commentReplies({ store, clock, config }),
}

/** The comments and watchers of a record that is deleted. */
export const recordDiscussions = createRecordDiscussions({ store, clock })
