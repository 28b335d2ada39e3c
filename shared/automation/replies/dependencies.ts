import type { RowAccess } from '../../accounts/access/row-access.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { FileToken } from '../../platform/mail/file-token.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'

/** What replies to people outside need. */
export interface ReplyDependencies {
  readonly store: Store
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly config: Pick<Config, 'get' | 'list'>
  readonly tables: Tables
  readonly access: RowAccess
  /** The link by which whoever has it downloads a file that left with a comment. */
  readonly fileUrl: (tenant: TenantRef, link: Pick<FileToken, 'commentId' | 'file' | 'expiresAt'>) => Promise<string>
}

/** A record: its table's name and its id. */
export interface RecordRef {
  readonly model: string
  readonly id: number
}
