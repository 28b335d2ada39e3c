import { TooManyRequests } from '../../kernel/failures/faults.ts'
import {
  maxDailyInvitations,
  maxDailyInvitationsOfAddress,
  maxInvitations,
  maxInvitationsOfAddress,
} from '../../kernel/limits/accounts.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Budget, settle, spend } from '../sign-in/budget.ts'

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
