import { Forbidden, NotFound } from '../../kernel/failures/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { commit, StaleRead, type Step } from '../../platform/store/writes/commit.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import { putChangedUser } from './change-user.ts'
import { takeOutTenant } from './membership/change-membership.ts'
import { freeChat } from './messenger-chat.ts'
import { findPerson, membershipIn } from './person.ts'
import { userEvent } from './user-event.ts'
import { erasedName, findUser, isErased, type User } from './user.ts'

/**
 * Erases who a user is: name, address, locale, chat, company, org units and roles go, all tokens end, and the person leaves the
 * tenant, or goes with the last one. The row stays, because records and history name its id. `also` joins the
 * transaction; it gets the user as it was. Answers false for a user who is erased already. Throws NotFound, Forbidden for
 * oneself, and Conflict for the last administrator.
 */
export async function eraseUser(
  { store, clock }: { store: Store; clock: Clock },
  by: Principal,
  id: number,
  also: (before: User) => Promise<readonly Step[]>,
): Promise<boolean> {
  const { tenant } = by
  if (id === by.userId) throw new Forbidden('forbidden', 'You cannot erase your own account.')
  return retryWithJitter(clock, async (retry) => {
    const before = await findUser(store, tenant, id)
    if (!before) throw new NotFound('user', { id })
    if (isErased(before)) return false
    const person = before.email === null ? undefined : await findPerson(store, before.email)
    const isPersons = membershipIn(person, tenant)?.userId === id
    const after: User = { ...erased(before), updatedAt: isoTime(clock.now()), version: before.version + 1 }
    const joined = await also(before)
    try {
      await commit(
        store,
        deploymentWide,
        [
          ...putChangedUser(tenant, before, after),
          ...freeChat(tenant, before),
          ...(person && isPersons ? takeOutTenant(person, tenant) : []),
          ...joined,
          { write: userEvent(clock, tenant, by, before, after) },
        ],
        clock.uuid(),
      )
      return true
    } catch (error) {
      return error instanceof StaleRead ? retry(error) : Promise.reject(error as Error)
    }
  })
}

const erased = (user: User): User => ({
  ...user,
  kindOf: 'person',
  name: erasedName,
  email: null,
  locale: null,
  messengerChat: null,
  substitution: null,
  companyId: null,
  orgUnitIds: [],
  roles: [],
  isActive: false,
  credentialVersion: user.credentialVersion + 1,
})
