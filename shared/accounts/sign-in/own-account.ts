import { Invalid } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import type { Caller } from '../../kernel/principal.ts'
import { accentColor } from '../../platform/settings/read-settings.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { changeUser } from '../people/change-user.ts'
import { membershipsOf } from '../people/membership/active-membership.ts'
import { findPerson } from '../people/person.ts'
import { describeSubstitution } from '../people/user.ts'
import { checkPassword } from './login.ts'

/** The caller's own account as the API answers it (contract §4), with the tenants that the session may enter. */
export async function describeCaller({ store, config }: Pick<AccountDependencies, 'store' | 'config'>, caller: Caller) {
  const [memberships, accent] = await Promise.all([membershipsOf(store, caller), accentColor(config, caller.tenant)])
  const own = memberships.find(({ tenant }) => tenant.id === caller.tenant.id)
  return {
    id: caller.userId,
    name: caller.name,
    email: caller.email,
    roles: [...caller.roles],
    permissions: [...caller.permissions],
    tenant: { slug: caller.tenant.slug, name: caller.tenant.name },
    tenants: memberships.map(({ tenant: { slug, name } }) => ({ slug, name })),
    org_units: [...caller.orgUnitIds],
    company_id: caller.companyId,
    messenger_linked: own !== undefined && own.user.messengerChat !== null,
    locale: caller.locale,
    ...describeSubstitution(own?.user ?? { substitution: null }),
    mfa_enabled: caller.mfaEnabled,
    mfa_setup_required: caller.mustSetUpMfa,
    verification_required: caller.tenant.awaitsVerification === true,
    ...(accent !== undefined && { accent_color: accent }),
    ...(caller.impersonatorId !== undefined && {
      impersonator: { id: caller.impersonatorId, name: caller.impersonatorName ?? '' },
    }),
  }
}

export interface OwnChanges {
  readonly name?: string
  readonly locale?: string | null
  readonly password?: string
  readonly current_password?: string
  readonly substitute_id?: number | null
  readonly from?: string | null
  readonly to?: string | null
}

/**
 * Changes the caller's own account. A new password requires the current one, whose check is throttled like a login, and
 * revokes all tokens of the user. Throws Invalid naming `current_password` or `password`, and TooManyRequests.
 */
export async function changeOwnAccount(
  accounts: AccountDependencies,
  caller: Caller,
  given: OwnChanges,
  sourceIp: string,
): Promise<Caller> {
  if (given.password !== undefined) await checkCurrentPassword(accounts, caller, given.current_password ?? '', sourceIp)
  const { name, locale, password, substitute_id: substituteId, from, to } = given
  const changes = { name, locale, password, substitution: { substituteId, from, to } }
  const user = await changeUser(accounts, caller.tenant, caller.userId, () => changes, { by: caller })
  return { ...caller, name: user.name, locale: user.locale }
}

async function checkCurrentPassword(
  accounts: AccountDependencies,
  { email }: Caller,
  password: string,
  sourceIp: string,
): Promise<void> {
  const person = email === null ? undefined : await findPerson(accounts.store, email)
  const credentials = { email: email ?? '', passwordHash: person?.passwordHash ?? null }
  const wrong = () => new Invalid({ current_password: [say('current_password_wrong', {})] })
  await checkPassword(accounts, credentials, password, sourceIp, wrong)
}
