import type { TenantRef } from '../../kernel/tenancy.ts'
import { apiKeyKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Item } from '../../platform/store/values/marshal.ts'

/** The row that lists an API key. Its token is a token row, its name and roles are those of its service user. */
export interface ApiKey {
  /** The id of the service user that the key acts as. */
  readonly id: number
  readonly tokenNumber: number
  readonly createdBy: number
  readonly createdAt: string
}

export const apiKeyItem = (tenant: TenantRef, key: ApiKey): Item & Key => ({
  ...apiKeyKey(tenant, key.id),
  kind: 'api_key',
  v: 1,
  id: key.id,
  token_number: key.tokenNumber,
  created_by: key.createdBy,
  created_at: key.createdAt,
})

export const readApiKey = (item: Item): ApiKey => ({
  id: Number(item.id),
  tokenNumber: Number(item.token_number),
  createdBy: Number(item.created_by),
  createdAt: String(item.created_at),
})
