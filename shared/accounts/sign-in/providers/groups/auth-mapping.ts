import * as z from 'zod'
import type { ConfigRow, RowTimes } from '../../../../platform/store/config.ts'
import { idText } from '../../../../platform/store/keys/key.ts'

export const authMappingSequence = 'sys_auth_mappings'

const StoredMapping = z.object({
  id: z.number(),
  group: z.string(),
  org_unit_id: z.number(),
  roles: z.array(z.string()),
})

/** What the members of a group at the identity provider get: an organisational unit, and roles. */
export interface AuthMapping extends z.output<typeof StoredMapping>, RowTimes {
  readonly version: number
}

export const authMappingOf = ({ version, doc, createdAt, updatedAt }: ConfigRow): AuthMapping => ({
  ...StoredMapping.parse(doc),
  version,
  createdAt,
  updatedAt,
})

export const authMappingRow = ({ version, createdAt, updatedAt, ...doc }: AuthMapping): ConfigRow => ({
  name: idText(doc.id),
  version,
  doc,
  createdAt,
  updatedAt,
})
