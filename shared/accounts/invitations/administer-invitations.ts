import type * as z from 'zod'
import { TooManyRequests } from '../../kernel/failures/faults.ts'
import {
  maxDailyInvitations,
  maxDailyInvitationsOfAddress,
  maxInvitations,
  maxInvitationsOfAddress,
} from '../../kernel/limits/accounts.ts'
import type { Caller } from '../../kernel/principal.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { invitationKey, invitationPartition } from '../../platform/store/keys/auth.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { commit, type Step } from '../../platform/store/writes/commit.ts'
import { exists } from '../../platform/store/writes/conditions.ts'
import { type Budget, settle, spend } from '../attempts/budget.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { refuseRolesAboveKey } from '../keys/api-key.ts'
import { namesOf } from '../people/user.ts'
import { namingUnknownRoles } from '../roles/role.ts'
import { createInvitation, invitationEvent, type IssuedInvitation, renewInvitation } from './create-invitation.ts'
import { type Invitation, readInvitationRow } from './invitation-row.ts'
import type { InviteBody, IssuedInvitationAnswer, PendingInvitation } from './invitation-schema.ts'
import { findInvitation } from './invitation-secret.ts'
import { unknownInvitation } from './open-invitation.ts'

type Issued = z.input<typeof IssuedInvitationAnswer>

/** The base addresses of the links that the service hands out. */
interface LinkAddresses {
  /** The web app, if there is one. */
  readonly appUrl?: string
  /** The API. */
  readonly publicUrl: string
}

/** The invitations of a tenant that wait to be accepted. Throws NotFound for those of other tenants. */
export function administerInvitations(accounts: AccountDependencies, addresses: LinkAddresses) {
  const { store, clock } = accounts

  /** Throws Invalid naming `email` for an active user of the tenant, and `roles.<n>`; and TooManyRequests. */
  async function invite(caller: Caller, { email, roles }: z.output<typeof InviteBody>): Promise<Issued> {
    refuseRolesAboveKey(caller, roles)
    await countInvitation(accounts, caller.tenant, email)
    return describeIssued(
      await namingUnknownRoles(accounts, caller.tenant, roles, () =>
        createInvitation(accounts, caller.tenant, { email, roles, by: caller }),
      ),
    )
  }

  /** Answers one page, newest first. Invitations end after a week, so all are read. */
  async function list(tenant: Tenant, query: ListQuery): Promise<Page<z.input<typeof PendingInvitation>>> {
    const items = await readAll(store, tenant, { pk: invitationPartition(tenant), reverse: true })
    const pending = items.map(readInvitationRow).filter((one) => clock.now() < one.expiresAtMs)
    const page = pageOfWholeList('invitations', pending, query, ({ id, email, createdAt, expiresAtMs }) => ({
      id,
      email,
      created_at: createdAt,
      expires_at: isoTime(expiresAtMs),
    }))
    const names = await namesOf(
      store,
      tenant,
      page.items.flatMap(({ invitedBy }) => invitedBy ?? []),
    )
    return {
      ...page,
      items: page.items.map(({ id, email, roles, invitedBy, createdAt, expiresAtMs }) => ({
        id,
        email,
        roles: [...roles],
        invited_by: invitedBy === null ? null : (names.get(invitedBy) ?? null),
        created_at: createdAt,
        expires_at: isoTime(expiresAtMs),
      })),
    }
  }

  /** Throws TooManyRequests. */
  async function resend(caller: Caller, id: number): Promise<Issued> {
    const invitation = await find(caller.tenant, id)
    refuseRolesAboveKey(caller, invitation.roles)
    await countInvitation(accounts, caller.tenant, invitation.email)
    return describeIssued(await renewInvitation(accounts, caller.tenant, invitation, caller))
  }

  async function revoke(caller: Caller, id: number): Promise<void> {
    const { tenant } = caller
    const invitation = await find(tenant, id)
    const remove: Step = { write: { remove: invitationKey(tenant, id), if: exists }, refused: unknownInvitation }
    const event = invitationEvent(clock, tenant, invitation, { action: 'delete', by: caller })
    await commit(store, deploymentWide, [remove, event], clock.uuid())
  }

  async function find(tenant: TenantRef, id: number): Promise<Invitation> {
    const invitation = await findInvitation(accounts, tenant, id)
    if (!invitation) throw unknownInvitation()
    return invitation
  }

  const describeIssued = ({ invitation, token }: IssuedInvitation): Issued => ({
    id: invitation.id,
    email: invitation.email,
    roles: [...invitation.roles],
    token,
    url: invitationUrl(token, addresses),
    expires_at: isoTime(invitation.expiresAtMs),
  })

  return { invite, list, resend, revoke }
}

/** The link of an invitation: a page of the web app if there is one, else of the service. */
export const invitationUrl = (secret: string, { appUrl, publicUrl }: LinkAddresses): string =>
  `${(appUrl || publicUrl).replace(/\/+$/, '')}/join/${secret}`

/** Invitations of a company, new ones and renewed ones: each is a mail to somebody who may not know it. */
const ofTenant: Budget = { name: 'invitations', perQuarter: maxInvitations, perDay: maxDailyInvitations }
/** Those to one address. */
const ofAddress: Budget = {
  name: 'invitations of an address',
  perQuarter: maxInvitationsOfAddress,
  perDay: maxDailyInvitationsOfAddress,
}

/**
 * Counts an invitation of a tenant to an address, before anything is stored or sent. Throws TooManyRequests when the company
 * sent too many, or too many to this address.
 */
export async function countInvitation(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { id }: TenantRef,
  email: string,
): Promise<void> {
  for (const [budget, who, what] of [
    [ofAddress, `tenant ${id} ${email}`, 'invitations to this address'],
    [ofTenant, `tenant ${id}`, 'invitations'],
  ] as const) {
    try {
      await spend({ store, clock }, budget, who, clock.now())
    } catch (error) {
      throw error instanceof TooManyRequests ? new TooManyRequests(error.retryAfterSeconds, what) : error
    }
    await mayFail('settle a counted invitation', () => settle({ store }, budget, who, {}))
  }
}
