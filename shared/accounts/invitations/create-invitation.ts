import { Invalid } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { reserveIds } from '../../platform/store/sequence/sequence.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { commit, type Step } from '../../platform/store/writes/commit.ts'
import { exists, isNew } from '../../platform/store/writes/conditions.ts'
import { trailEvent } from '../../platform/trail/trail-event.ts'
import { makeSecret } from '../credentials/token.ts'
import { findPerson, membershipIn } from '../people/person.ts'
import { findUser } from '../people/user.ts'
import { roleExists } from '../roles/role-membership.ts'
import { type Invitation, invitationItem, invitationSecretItem, invitationSequence } from './invitation-row.ts'
import { unknownInvitation } from './open-invitation.ts'

export const invitationLifeMs = 7 * 24 * 3_600_000

/** An invitation with a secret that opens it, which is stored as a hash only. */
export interface IssuedInvitation {
  readonly invitation: Invitation
  readonly token: string
}

/**
 * Invites an address into a tenant. `by` is left out for the operator, whose invitation also gives an existing user of the
 * tenant a new password. Throws Invalid naming `email` when an administrator invites an active user of the tenant, and
 * `roles.<n>` when a role does not exist.
 */
export async function createInvitation(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  given: { readonly email: string; readonly roles: readonly string[]; readonly by?: PrincipalRef },
): Promise<IssuedInvitation> {
  const { email, by } = given
  const forCredentialVersion = await credentialVersionOf(store, tenant, email, by)
  const now = clock.now()
  const invitation: Invitation = {
    id: await reserveIds(store, tenant, invitationSequence, 1),
    email,
    roles: [...new Set(given.roles)],
    invitedBy: by?.userId ?? null,
    forCredentialVersion,
    createdAt: isoTime(now),
    expiresAtMs: now + invitationLifeMs,
  }
  const put: Step = { write: { put: invitationItem(tenant, invitation), if: isNew } }
  const roles = invitation.roles.map((role, index) => roleExists(tenant, role, index))
  return issue({ store, clock }, tenant, invitation, [put, ...roles], { action: 'create', by })
}

/**
 * Makes another secret for an invitation, which `by` answers for from now on, for another seven days. Earlier secrets stay
 * valid for the rest of their own seven. Throws NotFound when the invitation was used or revoked meanwhile, and Invalid
 * naming `email` as `createInvitation` does.
 */
export async function renewInvitation(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  before: Invitation,
  by: PrincipalRef,
): Promise<IssuedInvitation> {
  const invitation: Invitation = {
    ...before,
    invitedBy: by.userId,
    forCredentialVersion: await credentialVersionOf(store, tenant, before.email, by),
    expiresAtMs: clock.now() + invitationLifeMs,
  }
  const put: Step = { write: { put: invitationItem(tenant, invitation), if: exists }, refused: unknownInvitation }
  return issue({ store, clock }, tenant, invitation, [put], { action: 'update', by })
}

/** The event of a change of an invitation. The address is in its row only, where it expires. */
export const invitationEvent = (
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  { id, roles }: Invitation,
  { action, by }: { readonly action: 'create' | 'update' | 'delete'; readonly by?: PrincipalRef },
) =>
  trailEvent(clock, tenant, by ?? { userId: 0 }, {
    action,
    model: invitationSequence,
    id,
    ...(action === 'create' && { changes: { roles: { old: null, new: roles } } }),
  })

async function issue(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  invitation: Invitation,
  steps: readonly Step[],
  event: { readonly action: 'create' | 'update'; readonly by?: PrincipalRef },
): Promise<IssuedInvitation> {
  const token = makeSecret(clock)
  const { id: invitationId, expiresAtMs } = invitation
  const secret = invitationSecretItem(token, { tenantId: tenant.id, invitationId, expiresAtMs })
  const writes = [{ put: secret, if: isNew }, invitationEvent(clock, tenant, invitation, event)]
  await commit(store, deploymentWide, [...steps, ...writes], clock.uuid())
  return { invitation, token }
}

/**
 * The credential version of the user with an address, or 0. What revokes the user's tokens also ends the invitation, so
 * a disabled user cannot return with an old one.
 */
async function credentialVersionOf(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  email: string,
  by: PrincipalRef | undefined,
): Promise<number> {
  const membership = membershipIn(await findPerson(store, email), tenant)
  const user = membership && (await findUser(store, tenant, membership.userId))
  if (by && user?.isActive) throw new Invalid({ email: [say('already_belongs', {})] })
  return user?.credentialVersion ?? 0
}
