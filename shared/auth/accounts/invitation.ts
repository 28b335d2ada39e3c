import { isoTime, type Clock } from '../../kernel/clock.ts'
import { NotFound } from '../../kernel/faults.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { commit, type Step } from '../../store/commit.ts'
import { exists, isNew } from '../../store/conditions.ts'
import { invitationKey } from '../../store/keys/auth.ts'
import { configKey } from '../../store/keys/configuration.ts'
import { deploymentWide, type Store } from '../../store/store.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { roleExists } from '../roles/role-membership.ts'
import { signIn, type LoginResult } from '../sessions/login.ts'
import { hashSecret, makeSecret } from '../sessions/token.ts'
import { findTenant } from '../tenants/find-tenant.ts'
import { changeUser } from './change-user.ts'
import { createUser } from './create-user.ts'
import { emailTaken } from './email-taken.ts'
import { invitationItem, readStoredInvitation, type StoredInvitation } from './invitation-row.ts'
import { findPerson, membershipIn } from './person.ts'
import { findUser, type User } from './user.ts'

export const invitationLifeMs = 7 * 24 * 3_600_000

interface Invitation {
  readonly tenant: Tenant
  readonly email: string
  readonly roles: readonly string[]
  readonly invitedBy: number | null
  /** The existing account with the address, which gets a new password on acceptance. */
  readonly account: User | undefined
}

/**
 * Invites an address into a tenant. Only the answer has the secret; the row has its hash. Throws Invalid naming `email`
 * when the address belongs to another tenant, and `roles.<n>` when a role does not exist.
 */
export async function createInvitation(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  given: { readonly email: string; readonly roles: readonly string[]; readonly invitedBy?: number },
): Promise<{ email: string; roles: string[]; token: string; expires_at: string }> {
  const person = await findPerson(store, given.email)
  const membership = membershipIn(person, tenant)
  if (person && !membership) throw emailTaken()
  const account = membership && (await findUser(store, tenant, membership.userId))
  const secret = makeSecret(clock)
  const now = clock.now()
  const expiresAtMs = now + invitationLifeMs
  const roles = [...new Set(given.roles)]
  const row: StoredInvitation = {
    tenantId: tenant.id,
    email: given.email,
    roles,
    invitedBy: given.invitedBy ?? null,
    // What revokes the account's tokens also invalidates its invitations, so a disabled user cannot return with an old
    // one.
    forCredentialVersion: account?.credentialVersion ?? 0,
    expiresAtMs,
  }
  const put: Step = { write: { put: invitationItem(keyOf(secret), row, now), if: isNew } }
  await commit(
    store,
    deploymentWide,
    [put, ...roles.map((role, index) => roleExists(tenant, role, index))],
    clock.uuid(),
  )
  return { email: given.email, roles, token: secret, expires_at: isoTime(expiresAtMs) }
}

/**
 * What the invited person sees before accepting. Throws NotFound when the invitation is unknown, used, expired or
 * invalidated.
 */
export async function describeInvitation(
  { store, clock }: Pick<AccountDependencies, 'store' | 'clock'>,
  secret: string,
) {
  const { email, roles, tenant, invitedBy } = await readInvitation(store, clock, secret)
  const inviter = invitedBy === null ? undefined : await findUser(store, tenant, invitedBy)
  return {
    email,
    roles: [...roles],
    tenant: { slug: tenant.slug, name: tenant.name },
    invited_by: inviter?.name ?? null,
  }
}

/**
 * Accepts an invitation, which is used up by it, and signs in. Creates the user; or sets name and password of the
 * account with the address, adds the roles and enables it. Throws NotFound as `describeInvitation` does.
 */
export async function acceptInvitation(
  accounts: AccountDependencies,
  secret: string,
  given: { name: string; password: string },
): Promise<LoginResult> {
  const { store, clock } = accounts
  const invitation = await readInvitation(store, clock, secret)
  const { tenant, email, account } = invitation
  const roles = await existingRoles(store, invitation)
  const use: Step = {
    write: { remove: keyOf(secret), if: exists },
    refused: unknownInvitation,
  }
  if (!account)
    return signIn(
      accounts,
      tenant,
      await createUser(accounts, tenant, { ...given, email, roles }, { also: [use], emailIsFree: true }),
    )
  const changed = await changeUser(
    accounts,
    tenant,
    account.id,
    (user) => {
      if (user.credentialVersion !== account.credentialVersion || user.email !== email) throw unknownInvitation()
      return { ...given, roles: [...user.roles, ...roles], isActive: true }
    },
    { also: [use] },
  )
  return signIn(accounts, tenant, changed)
}

async function readInvitation(store: Store, clock: Clock, secret: string): Promise<Invitation> {
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) throw unknownInvitation()
  const item = await store.get(deploymentWide, keyOf(secret))
  const row = item && readStoredInvitation(item)
  if (!row || clock.now() >= row.expiresAtMs) throw unknownInvitation()
  const { email, tenantId, roles, invitedBy } = row
  const [tenant, person] = await Promise.all([findTenant(store, tenantId), findPerson(store, email)])
  const membership = membershipIn(person, { id: tenantId })
  if (!tenant || (person && !membership)) throw unknownInvitation()
  const account = membership && (await findUser(store, tenant, membership.userId))
  if ((account?.credentialVersion ?? 0) !== row.forCredentialVersion) throw unknownInvitation()
  return { tenant, email, roles, invitedBy, account }
}

/** The roles of the invitation that still exist. */
async function existingRoles(store: Store, { tenant, roles }: Invitation): Promise<string[]> {
  const rows = await store.getMany(
    tenant,
    roles.map((role) => configKey(tenant, 'ROLE', role)),
  )
  return roles.filter((_, index) => rows[index] !== undefined)
}

const keyOf = (secret: string) => invitationKey(hashSecret(secret).toString('base64url'))

const unknownInvitation = (): NotFound => new NotFound('invitation')

/** The link of an invitation: a page of the web app if there is one, else the endpoint of the API. */
export const invitationUrl = (
  secret: string,
  addresses: { readonly appUrl?: string; readonly publicUrl: string },
): string =>
  addresses.appUrl
    ? `${addresses.appUrl.replace(/\/+$/, '')}/join/${secret}`
    : `${addresses.publicUrl.replace(/\/+$/, '')}/api/join/${secret}`
