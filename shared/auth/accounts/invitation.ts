import { isoTime, type Clock } from '../../kernel/clock.ts'
import { NotFound } from '../../kernel/faults.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { commit, type Step } from '../../store/commit.ts'
import { exists, isNew } from '../../store/conditions.ts'
import { invitationKey } from '../../store/keys/auth.ts'
import { configKey } from '../../store/keys/configuration.ts'
import { deploymentWide, type Store } from '../../store/table.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { roleExists } from '../roles/role-membership.ts'
import { signIn, type LoginResult } from '../sessions/login.ts'
import { hashSecret, makeSecret } from '../sessions/token.ts'
import { findTenant } from '../tenants/tenant.ts'
import { changeUser } from './change-user.ts'
import { createUser, emailTaken } from './create-user.ts'
import { invitationItem, readStoredInvitation, type StoredInvitation } from './invitation-row.ts'
import { findEmailOwner, findUser, type User } from './user.ts'

export const invitationLifeMs = 7 * 24 * 3_600_000

interface Invitation {
  readonly tenant: Tenant
  readonly email: string
  readonly roles: readonly string[]
  readonly invitedBy: number | null
  /** The account that has the address already: accepting sets its password anew. */
  readonly account: User | undefined
}

/**
 * Invites an address into a tenant; the answer is the only place where the secret stands. Throws Invalid naming `email`
 * when another tenant has the address, `roles.<n>` when a role does not exist.
 */
export async function createInvitation(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  given: { readonly email: string; readonly roles: readonly string[]; readonly invitedBy?: number },
): Promise<{ email: string; roles: string[]; token: string; expires_at: string }> {
  const owner = await findEmailOwner(store, given.email)
  if (owner && owner.tenantId !== tenant.id) throw emailTaken()
  const account = owner && (await findUser(store, tenant, owner.userId))
  const secret = makeSecret(clock)
  const now = clock.now()
  const expiresAtMs = now + invitationLifeMs
  const roles = [...new Set(given.roles)]
  const row: StoredInvitation = {
    tenantId: tenant.id,
    email: given.email,
    roles,
    invitedBy: given.invitedBy ?? null,
    // Whatever ends the account's tokens ends its invitations: a disabled user must not find an old one and come back.
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

/** What the invited person sees before accepting. Used, expired, unknown, overtaken: NotFound. */
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
 * Accepts an invitation, once: makes the user, or gives the account that has the address its new name and password, adds
 * the roles and lets it act again. Answers a login result.
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
  const [tenant, owner] = await Promise.all([findTenant(store, tenantId), findEmailOwner(store, email)])
  if (!tenant || (owner && owner.tenantId !== tenantId)) throw unknownInvitation()
  const account = owner && (await findUser(store, tenant, owner.userId))
  if ((account?.credentialVersion ?? 0) !== row.forCredentialVersion) throw unknownInvitation()
  return { tenant, email, roles, invitedBy, account }
}

/** A role may have been deleted since; the invitation then simply gives less. */
async function existingRoles(store: Store, { tenant, roles }: Invitation): Promise<string[]> {
  const rows = await store.getMany(
    tenant,
    roles.map((role) => configKey(tenant, 'ROLE', role)),
  )
  return roles.filter((_, index) => rows[index] !== undefined)
}

const keyOf = (secret: string) => invitationKey(hashSecret(secret).toString('base64url'))

const unknownInvitation = (): NotFound => new NotFound('invitation')

/** Where an invitation leads: a page of the web app when there is one, else the API itself. */
export const invitationUrl = (
  secret: string,
  addresses: { readonly appUrl?: string; readonly publicUrl: string },
): string =>
  addresses.appUrl
    ? `${addresses.appUrl.replace(/\/+$/, '')}/join/${secret}`
    : `${addresses.publicUrl.replace(/\/+$/, '')}/api/join/${secret}`
