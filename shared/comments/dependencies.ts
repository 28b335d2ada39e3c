import type { FileDependencies } from '../files/service.ts'
import type { RowAccess } from '../row-rules/service.ts'
import type { Config } from '../store/config.ts'
import type { Tables } from '../tables/service.ts'

/** What the comments and watchers of records need. */
export interface CommentDependencies extends FileDependencies {
  readonly config: Pick<Config, 'list'>
  readonly tables: Pick<Tables, 'require'>
  readonly access: Pick<RowAccess, 'permitted' | 'require'>
}
