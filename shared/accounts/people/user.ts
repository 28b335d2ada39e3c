import type { TenantRef } from '../../kernel/tenancy.ts'
import { userKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { administratorRole } from '../roles/role.ts'
import type { Substitution } from './substitution.ts'

/** The sequence of user ids, which also counts users. */
export const userSequence = 'sys_users'

/**
 * A user row: a person's membership of a tenant, or a service user, which has no e-mail address and cannot sign in.
 * Name, e-mail address and locale are copies of the person's, moved in the same transaction.
 */
export interface User {
  readonly id: number
  readonly kindOf: 'person' | 'service'
  readonly name: string
  readonly email: string | null
  readonly roles: readonly string[]
  readonly isActive: boolean
  /** Rises when the password changes or the user is disabled, which invalidates all earlier tokens and invitations. */
  readonly credentialVersion: number
  readonly companyId: number | null
  readonly orgUnitIds: readonly number[]
  readonly locale: string | null
  /** A copy: whether sign-ins of the person ask for a second factor. */
  readonly mfaEnabled: boolean
  /** The id of the chat with a bot in which the user is reached. */
  readonly messengerChat: string | null
  /** Who gets the tasks of the user meanwhile. */
  readonly substitution: Substitution | null
  /** Of a service user: who made its API key. */
  readonly madeBy?: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly version: number
}

export const readUser = (item: Item): User => ({
  id: Number(item.id),
  kindOf: item.kind_of as User['kindOf'],
  name: String(item.name),
  email: (item.email ?? null) as string | null,
  roles: item.roles as readonly string[],
  isActive: item.is_active === true,
  credentialVersion: Number(item.credential_version),
  companyId: (item.company_id ?? null) as number | null,
  orgUnitIds: (item.org_unit_ids as readonly string[]).map(Number),
  locale: (item.locale ?? null) as string | null,
  mfaEnabled: item.mfa_enabled === true,
  messengerChat: (item.messenger_chat ?? null) as string | null,
  substitution:
    item.substitute_id === undefined
      ? null
      : {
          substituteId: Number(item.substitute_id),
          from: String(item.substitute_from),
          to: (item.substitute_to ?? null) as string | null,
        },
  ...(item.made_by !== undefined && { madeBy: Number(item.made_by) }),
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
  kind_of: user.kindOf,
  name: user.name,
  email: user.email,
  roles: user.roles,
  is_active: user.isActive,
  credential_version: user.credentialVersion,
  company_id: user.companyId,
  org_unit_ids: user.orgUnitIds.map(String),
  locale: user.locale,
  mfa_enabled: user.mfaEnabled,
  messenger_chat: user.messengerChat,
  ...(user.substitution && {
    substitute_id: user.substitution.substituteId,
    substitute_from: user.substitution.from,
    substitute_to: user.substitution.to,
  }),
  ...(user.madeBy !== undefined && { made_by: user.madeBy }),
  created_at: user.createdAt,
  updated_at: user.updatedAt,
  version: user.version,
})

/** Whether the user administers the tenant now. */
export const isActiveAdministrator = (user: User | undefined): boolean =>
  user?.isActive === true && user.roles.includes(administratorRole)

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
  mfa_enabled: user.mfaEnabled,
  ...describeSubstitution(user),
  created_at: user.createdAt,
  updated_at: user.updatedAt,
  version: user.version,
})

/** Who gets the tasks of a user meanwhile, in the shape of the API; no member when nobody does, no `to` without an end. */
export const describeSubstitution = ({ substitution }: Pick<User, 'substitution'>) =>
  substitution && {
    substitute_id: substitution.substituteId,
    from: substitution.from,
    ...(substitution.to !== null && { to: substitution.to }),
  }

/** What an erased user is called. */
export const erasedName = 'Erased user'

/** Whether the person behind a user was erased: only a service user has no address otherwise. */
export const isErased = ({ kindOf, email }: Pick<User, 'kindOf' | 'email'>): boolean =>
  kindOf === 'person' && email === null

/** A user's row as the export of a tenant holds it: as administrators see it, without what signs the user in. */
export const exportedUser = (item: Item) => {
  const user = readUser(item)
  return { kind_of: user.kindOf, ...describeUser(user) }
}

export async function findUser(store: Pick<Store, 'get'>, tenant: TenantRef, id: number): Promise<User | undefined> {
  const item = await store.get(tenant, userKey(tenant, id))
  return item && readUser(item)
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

/** Whether a user of a tenant may act as another: administrators may, for every non-administrator. */
export const mayImpersonate = (administrator: User, user: User): boolean =>
  administrator.kindOf === 'person' &&
  isActiveAdministrator(administrator) &&
  administrator.id !== user.id &&
  user.isActive &&
  user.kindOf === 'person' &&
  !isActiveAdministrator(user)
