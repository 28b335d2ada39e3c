import { isoTime } from '../../kernel/clock.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'

/** The row of an invitation. The current account of its address is read when it is used. */
export interface StoredInvitation {
  readonly tenantId: number
  readonly email: string
  readonly roles: readonly string[]
  readonly invitedBy: number | null
  /** The credential version of the account with the address, or 0. A later version invalidates the invitation. */
  readonly forCredentialVersion: number
  readonly expiresAtMs: number
}

export const invitationItem = (key: Key, invitation: StoredInvitation, nowMs: number): Item & Key => ({
  ...key,
  kind: 'invitation',
  v: 1,
  tenant_id: invitation.tenantId,
  email: invitation.email,
  roles: invitation.roles,
  invited_by: invitation.invitedBy,
  for_credential_version: invitation.forCredentialVersion,
  created_at: isoTime(nowMs),
  expires_at_ms: invitation.expiresAtMs,
  expires_at: Math.ceil(invitation.expiresAtMs / 1000),
})

export const readStoredInvitation = (item: Item): StoredInvitation => ({
  tenantId: Number(item.tenant_id),
  email: String(item.email),
  roles: item.roles as readonly string[],
  invitedBy: item.invited_by as number | null,
  forCredentialVersion: Number(item.for_credential_version),
  expiresAtMs: Number(item.expires_at_ms),
})
