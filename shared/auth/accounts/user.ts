import type { TenantRef } from '../../kernel/tenancy.ts'
import { emailKey, userKey } from '../../store/keys/auth.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import { deploymentWide, type Store } from '../../store/store.ts'

/** The sequence of user ids, which also counts users. */
export const userSequence = 'sys_users'

/** A user row. The API answers `describeUser`, never the row, which has the password hash. */
export interface User {
  readonly id: number
  readonly name: string
  /** In lower case; unique across the deployment. */
  readonly email: string
  /** A PHC string. */
  readonly passwordHash: string
  readonly roles: readonly string[]
  readonly isActive: boolean
  /** Rises when the password changes or the user is disabled, which invalidates all earlier tokens and invitations. */
  readonly credentialVersion: number
  readonly companyId: number | null
  readonly orgUnitIds: readonly number[]
  readonly locale: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

export const readUser = (item: Item): User => ({
  id: Number(item.id),
  name: String(item.name),
  email: String(item.email),
  passwordHash: String(item.password_hash),
  roles: item.roles as readonly string[],
  isActive: item.is_active === true,
  credentialVersion: Number(item.credential_version),
  companyId: (item.company_id ?? null) as number | null,
  orgUnitIds: (item.org_unit_ids as readonly string[]).map(Number),
  locale: (item.locale ?? null) as string | null,
  createdAt: String(item.created_at),
  updatedAt: String(item.updated_at),
  version: Number(item.version),
})

/** Reads id and name only. */
const readUserName = (item: Item): readonly [number, string] => [Number(item.id), String(item.name)]

export const userItem = (tenant: TenantRef, user: User): Item & Key => ({
  ...userKey(tenant, user.id),
  kind: 'user',
  v: 1,
  id: user.id,
  name: user.name,
  email: user.email,
  password_hash: user.passwordHash,
  roles: user.roles,
  is_active: user.isActive,
  credential_version: user.credentialVersion,
  company_id: user.companyId,
  org_unit_ids: user.orgUnitIds.map(String),
  locale: user.locale,
  created_at: user.createdAt,
  updated_at: user.updatedAt,
  version: user.version,
})

/** A user as administrators see it. */
export const describeUser = (user: User) => ({
  id: user.id,
  name: user.name,
  email: user.email,
  roles: [...user.roles],
  is_active: user.isActive,
  company_id: user.companyId,
  org_unit_ids: [...user.orgUnitIds],
  locale: user.locale,
  created_at: user.createdAt,
  updated_at: user.updatedAt,
  version: user.version,
})

export async function findUser(store: Pick<Store, 'get'>, tenant: TenantRef, id: number): Promise<User | undefined> {
  const item = await store.get(tenant, userKey(tenant, id))
  return item && readUser(item)
}

/** Who has an e-mail address. */
export interface EmailOwner {
  readonly tenantId: number
  readonly userId: number
}

/** The row that holds an e-mail address, in lower case, for a user. */
export const emailItem = (email: string, { tenantId, userId }: EmailOwner): Item & Key => ({
  ...emailKey(email),
  kind: 'email',
  v: 1,
  tenant_id: tenantId,
  user_id: userId,
})

export const readEmailOwner = (item: Item): EmailOwner => ({
  tenantId: Number(item.tenant_id),
  userId: Number(item.user_id),
})

/** Finds the user with an e-mail address in any tenant; `email` in lower case. */
export async function findEmailOwner(store: Pick<Store, 'get'>, email: string): Promise<EmailOwner | undefined> {
  const guard = await store.get(deploymentWide, emailKey(email))
  return guard && readEmailOwner(guard)
}

/** The current names of users by id. Unknown ids are left out. */
export async function namesOf(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  ids: Iterable<number>,
): Promise<Map<number, string>> {
  const distinct = [...new Set(ids)]
  const items = await store.getMany(
    tenant,
    distinct.map((id) => userKey(tenant, id)),
  )
  return new Map(items.flatMap((item) => (item ? [readUserName(item)] : [])))
}
