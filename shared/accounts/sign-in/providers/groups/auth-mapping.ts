import * as z from 'zod'
import type { ConfigRow } from '../../../../platform/store/config.ts'
import { idText } from '../../../../platform/store/keys/key.ts'
import type { AuthMapping } from './auth-mapping-schema.ts'

export const authMappingSequence = 'sys_auth_mappings'

const StoredMapping = z.object({
  id: z.number(),
  group: z.string(),
  org_unit_id: z.number(),
  roles: z.array(z.string()),
})

export const authMappingOf = ({ version, doc }: ConfigRow): AuthMapping => ({ ...StoredMapping.parse(doc), version })

export const authMappingRow = ({ version, ...doc }: AuthMapping): ConfigRow => ({ name: idText(doc.id), version, doc })
