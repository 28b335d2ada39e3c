import type { RowAccess } from '../../accounts/access/service.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Write } from '../../platform/store/store.ts'
import type { FileDependencies } from '../../tables/files/service.ts'
import type { Tables } from '../../tables/tables/service.ts'
import type { Comment } from './rows/comment-row.ts'

/** What the comments and watchers of records need. */
export interface CommentDependencies extends FileDependencies {
  readonly config: Pick<Config, 'list'>
  readonly tables: Pick<Tables, 'require'>
  readonly access: Pick<RowAccess, 'permitted' | 'require'>
  /**
   * What a new public comment sends to people outside, for its transaction. Passed in, because the slice
   * `incoming-actions` is above this one.
   */
  readonly sendReplies?: SendReplies
}

export type SendReplies = (author: Principal & { readonly name: string }, comment: Comment) => Promise<readonly Write[]>
