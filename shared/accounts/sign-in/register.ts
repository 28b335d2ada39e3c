import { refuseDeletedTenant } from '../../kernel/failures/deleted-tenant.ts'
import { Conflict, type FieldErrors, Forbidden, Invalid } from '../../kernel/failures/faults.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import { emailKey, slugKey } from '../../platform/store/keys/auth.ts'
import { deploymentWide } from '../../platform/store/store.ts'
import { registrations, settle, spend } from '../attempts/budget.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { createTenantWithAdministrator, slugTaken } from '../people/create-tenant.ts'
import { createUser, refuseOwnName } from '../people/create-user.ts'
import { emailTaken } from '../people/new-user.ts'
import { administratorRole, defaultRole, ordinaryRole } from '../roles/role.ts'
import { findFirstTenant } from '../tenants/find-tenant.ts'
import { type LoginResult, signIn } from './login.ts'

export interface Registration {
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly password: string
}

/** Who asks for a registration. */
interface Registrant {
  readonly sourceIp: string
  readonly userAgent: string | undefined
}

/** Throws Forbidden, whatever was sent. */
export function refuseRegistration(): never {
  throw new Forbidden('registration_closed', 'Registration is closed.')
}

/**
 * Creates a tenant with its administrator and signs in. With `mustVerify` the tenant does not work until the address is
 * verified. Throws Invalid naming `slug` or `email` when taken, or `password`, and TooManyRequests.
 */
export async function registerTenant(
  accounts: AccountDependencies,
  {
    name,
    email,
    password,
    company_name,
    slug,
  }: Registration & { readonly company_name: string; readonly slug: string },
  { sourceIp, userAgent, mustVerify }: Registrant & { readonly mustVerify: boolean },
): Promise<LoginResult> {
  refuseOwnName(password, { name, email })
  await countRegistration(accounts, sourceIp)
  // An early check saves the expensive hash. The conditions in the transaction decide.
  const [bySlug, byEmail] = await accounts.store.getMany(deploymentWide, [slugKey(slug), emailKey(email)])
  const taken: FieldErrors = { ...(bySlug && slugTaken().problems), ...(byEmail && emailTaken().problems) }
  if (bySlug || byEmail) throw new Invalid(taken)
  const made = await createTenantWithAdministrator(accounts, {
    slug,
    name: company_name,
    awaitsVerification: mustVerify,
    administrator: { name, email, password },
  })
  return signIn(accounts, made.tenant, made.administrator, { userAgent })
}

/**
 * Creates a user of the only tenant with the default role and signs in. Throws Invalid, Conflict when there is no
 * tenant, and TooManyRequests.
 */
export async function registerUser(
  accounts: AccountDependencies,
  { name, email, password }: Registration,
  { sourceIp, userAgent }: Registrant,
): Promise<LoginResult> {
  await countRegistration(accounts, sourceIp)
  const tenant = await findFirstTenant(accounts.store)
  if (!tenant)
    throw new Conflict(
      'no_tenant',
      'This deployment has no tenant yet: its operator has to invite the first administrator.',
    )
  refuseDeletedTenant(tenant)
  const role = await defaultRole(accounts.config, tenant)
  // A registration never makes an administrator, whatever DEFAULT_ROLE says.
  const roles = [role === administratorRole ? ordinaryRole : role]
  const user = await createUser(accounts, tenant, { name, email, password, roles })
  return signIn(accounts, tenant, user, { userAgent })
}

/** Before the password is hashed, which costs most. */
async function countRegistration(accounts: AccountDependencies, sourceIp: string): Promise<void> {
  await spend(accounts, registrations, sourceIp, accounts.clock.now())
  await mayFail('settle a counted registration', () => settle(accounts, registrations, sourceIp, {}))
}
