import { refuseDeletedTenant } from '../../kernel/failures/deleted-tenant.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { invitationKey, tenantKey, userKey } from '../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { findPerson, membershipIn, type Person } from '../people/person.ts'
import { isActiveAdministrator, readUser, type User } from '../people/user.ts'
import { readTenant } from '../tenants/tenant-row.ts'
import { type Invitation, readInvitationRow, readInvitationSecret, secretKeyOf } from './invitation-row.ts'

/** A valid invitation with everything that it refers to. */
export interface OpenInvitation {
  readonly invitation: Invitation
  readonly tenant: Tenant
  /** Who has the address now. */
  readonly person: Person | undefined
  /** The user that the person already is in the tenant. */
  readonly user: User | undefined
  /** undefined when the operator invited. */
  readonly inviter: User | undefined
}

/**
 * Reads the invitation that a secret opens. Throws NotFound when the secret is unknown or expired, when the invitation was
 * used or revoked, when the address got a user or that user new credentials since, and when its inviter may not invite
 * any more; and Forbidden, `tenant_deleted`.
 */
export async function openInvitation(
  { store, clock }: { store: Pick<Store, 'get' | 'getMany'>; clock: Pick<Clock, 'now'> },
  secret: string,
): Promise<OpenInvitation> {
  const secretItem = await store.get(deploymentWide, secretKeyOf(secret))
  const opened = secretItem && readInvitationSecret(secretItem)
  if (!opened || clock.now() >= opened.expiresAtMs) throw unknownInvitation()
  const ref = { id: opened.tenantId }
  const [item, tenantItem] = await store.getMany(deploymentWide, [
    invitationKey(ref, opened.invitationId),
    tenantKey(ref),
  ])
  if (!item || !tenantItem) throw unknownInvitation()
  const tenant = readTenant(tenantItem)
  refuseDeletedTenant(tenant)
  const invitation = readInvitationRow(item)
  const { email, invitedBy, forCredentialVersion } = invitation
  const person = await findPerson(store, email)
  // No user has the id 0.
  const ids = [membershipIn(person, ref)?.userId ?? 0, invitedBy ?? 0]
  const items = await store.getMany(
    ref,
    ids.map((id) => userKey(ref, id)),
  )
  const [user, inviter] = items.map((one) => one && readUser(one))
  if ((user?.credentialVersion ?? 0) !== forCredentialVersion) throw unknownInvitation()
  if (invitedBy !== null && !isActiveAdministrator(inviter)) throw unknownInvitation()
  return { invitation, tenant, person, user, inviter }
}

/** Whether accepting needs the password or a token of an existing account. The operator's invitation replaces both. */
export const needsAccount = ({ invitation, person, user }: OpenInvitation): boolean =>
  person !== undefined && !(invitation.invitedBy === null && user !== undefined)

export const unknownInvitation = (): NotFound => new NotFound('invitation')
