import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { invitationKey } from '../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { makeSecret } from '../credentials/token.ts'
import { type Invitation, invitationSecretItem, readInvitationRow } from './invitation-row.ts'

/** The invitation with an id; undefined when it was used or revoked, or has expired. */
export async function findInvitation(
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  id: number,
): Promise<Invitation | undefined> {
  const item = await store.get(tenant, invitationKey(tenant, id))
  const invitation = item && readInvitationRow(item)
  return invitation && clock.now() < invitation.expiresAtMs ? invitation : undefined
}

/** Makes another secret that opens an invitation: that of its mail. Only its hash is stored. */
export async function addInvitationSecret(
  { store, clock }: { readonly store: Pick<Store, 'write'>; readonly clock: Pick<Clock, 'bytes'> },
  tenant: TenantRef,
  { id: invitationId, expiresAtMs }: Invitation,
): Promise<string> {
  const secret = makeSecret(clock)
  const put = invitationSecretItem(secret, { tenantId: tenant.id, invitationId, expiresAtMs })
  await store.write(deploymentWide, { put, if: isNew })
  return secret
}
