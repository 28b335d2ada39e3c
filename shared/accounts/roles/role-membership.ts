import { Conflict, Invalid } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { roleUseKey } from '../../platform/store/keys/auth.ts'
import { configKey } from '../../platform/store/keys/configuration.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { above, exists } from '../../platform/store/writes/conditions.ts'
import { administratorRole } from './role.ts'

/** The roles of a user, and whether the user is active. */
export interface Membership {
  readonly roles: readonly string[]
  readonly isActive: boolean
  /** A service user keeps a role in use, but does not count as an administrator: it cannot let anybody in again. */
  readonly kindOf: 'person' | 'service'
}

/**
 * The steps of a user's transaction that count the users of each role. The counts guarantee, under concurrent requests
 * too, that a role in use is not deleted and that the last active administrator stays.
 */
export function moveMembership(tenant: TenantRef, before: Membership | undefined, after: Membership): Step[] {
  const roles = new Set([...(before?.roles ?? []), ...after.roles])
  return [...roles].flatMap((role): Step[] => {
    const was = { users: has(before, role), active: has(before, role) && maySignIn(before) }
    const is = { users: has(after, role), active: has(after, role) && maySignIn(after) }
    const users = Number(is.users) - Number(was.users)
    const active = Number(is.active) - Number(was.active)
    if (users === 0 && active === 0) return []
    const keepsLastAdministrator = role === administratorRole && active < 0
    const count: Step = {
      write: {
        update: roleUseKey(tenant, role),
        change: {
          expression: 'ADD #users :users, #active :active SET #kind = :kind, #v = :v',
          names: { '#users': 'users', '#active': 'active', '#kind': 'kind', '#v': 'v' },
          values: { ':users': users, ':active': active, ':kind': 'role_use', ':v': 1 },
        },
        ...(keepsLastAdministrator && {
          if: above('active', 1),
        }),
      },
      ...(keepsLastAdministrator && {
        refused: () =>
          new Conflict('last_administrator', 'The last administrator cannot be disabled or lose the role.'),
      }),
    }
    return users > 0 ? [roleExists(tenant, role, after.roles.indexOf(role)), count] : [count]
  })
}

const maySignIn = (membership: Membership | undefined): boolean =>
  membership?.isActive === true && membership.kindOf === 'person'
const has = (membership: Membership | undefined, role: string): boolean => membership?.roles.includes(role) ?? false

/** Refuses the transaction when the role does not exist. `index` is its index in the list of the request. */
export const roleExists = (tenant: TenantRef, role: string, index: number): Step => ({
  write: { check: configKey(tenant, 'ROLE', role), if: exists },
  refused: () => new Invalid({ [`roles.${index}`]: [`The selected roles.${index} is invalid.`] }),
})
