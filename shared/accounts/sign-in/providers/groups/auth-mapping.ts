import type { RowTimes } from '../../../../platform/store/config.ts'
import { readObject } from '../../../../platform/store/rows/object-row.ts'

export const authMappingSequence = 'sys_auth_mappings'

/** What the members of a group at the identity provider get: an organisational unit, and roles. */
export interface AuthMapping extends RowTimes {
  readonly id: number
  readonly group: string
  readonly org_unit_id: number
  readonly roles: string[]
  readonly version: number
}

export const authMappingOf = readObject<AuthMapping>
