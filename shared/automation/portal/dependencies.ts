import { type Caller, unrestricted } from '../../kernel/principal.ts'
import type { Queries } from '../../lists/query/service.ts'
import type { Config } from '../../platform/store/config.ts'
import type { CommentDependencies } from '../../records/comments/dependencies.ts'
import type { Actor } from '../../records/records/actor.ts'
import type { RecordDependencies } from '../../records/records/dependencies.ts'
import type { FileDependencies } from '../../tables/files/check-upload.ts'

/** What the portal needs. */
export interface PortalDependencies {
  readonly records: RecordDependencies
  readonly comments: CommentDependencies
  readonly files: FileDependencies
  readonly config: Config
  readonly queries: Queries
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/**
 * The caller with the rights of the service: an item of the portal is the permission, so what it allows is checked before,
 * and no permission, row rule or field rule of the caller limits it.
 */
export const actingFor = (caller: Caller): Actor & Caller => ({
  ...caller,
  ...unrestricted,
  reader: caller,
  roles: caller.roles,
  orgUnitIds: caller.orgUnitIds,
})
