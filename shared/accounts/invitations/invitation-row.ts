import type { TenantRef } from '../../kernel/tenancy.ts'
import { invitationKey, invitationSecretKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { hashSecret } from '../credentials/token.ts'

/** The sequence of invitation ids. */
export const invitationSequence = 'sys_invitations'

/** An invitation that was not accepted yet. The current account of its address is read when it is used. */
export interface Invitation {
  readonly id: number
  /** In lower case. */
  readonly email: string
  readonly roles: readonly string[]
  /** null: the operator of the deployment. */
  readonly invitedBy: number | null
  /** The credential version of the user with the address, or 0. A later version invalidates the invitation. */
  readonly forCredentialVersion: number
  readonly createdAt: string
  readonly expiresAtMs: number
}

export const invitationItem = (tenant: TenantRef, invitation: Invitation): Item & Key => ({
  ...invitationKey(tenant, invitation.id),
  kind: 'invitation',
  v: 1,
  id: invitation.id,
  email: invitation.email,
  roles: invitation.roles,
  invited_by: invitation.invitedBy,
  for_credential_version: invitation.forCredentialVersion,
  created_at: invitation.createdAt,
  ...expiry(invitation.expiresAtMs),
})

export const readInvitationRow = (item: Item): Invitation => ({
  id: Number(item.id),
  email: String(item.email),
  roles: item.roles as readonly string[],
  invitedBy: item.invited_by as number | null,
  forCredentialVersion: Number(item.for_credential_version),
  createdAt: String(item.created_at),
  expiresAtMs: Number(item.expires_at_ms),
})

/** One of the secrets that open an invitation: that of an answer, or of a mail. */
export interface InvitationSecret {
  readonly tenantId: number
  readonly invitationId: number
  readonly expiresAtMs: number
}

export const secretKeyOf = (secret: string): Key => invitationSecretKey(hashSecret(secret).toString('base64url'))

export const invitationSecretItem = (secret: string, of: InvitationSecret): Item & Key => ({
  ...secretKeyOf(secret),
  kind: 'invitation_secret',
  v: 1,
  tenant_id: of.tenantId,
  invitation_id: of.invitationId,
  ...expiry(of.expiresAtMs),
})

export const readInvitationSecret = (item: Item): InvitationSecret => ({
  tenantId: Number(item.tenant_id),
  invitationId: Number(item.invitation_id),
  expiresAtMs: Number(item.expires_at_ms),
})

const expiry = (expiresAtMs: number) => ({ expires_at_ms: expiresAtMs, expires_at: Math.ceil(expiresAtMs / 1000) })
