import type { Environment } from '../env.ts'
import { registrationIsOpen } from '../env.ts'
import { Conflict, Forbidden, Invalid, type FieldErrors } from '../faults.ts'
import { emailKey, slugKey } from '../store/keys.ts'
import { deploymentWide } from '../store/table.ts'
import type { Accounts } from './accounts.ts'
import { createUser, emailTaken, refuseOwnName } from './create-user.ts'
import { signIn, type LoginResult } from './login.ts'
import { administratorRole, ordinaryRole } from './role-names.ts'
import { defaultRole } from './role.ts'
import { createTenantWithAdministrator, findFirstTenant, slugTaken } from './tenant.ts'

export interface Registration {
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly password: string
  readonly company_name?: string
  readonly slug?: string
}

/**
 * A new account: in saas mode a tenant and its administrator, else a user of the one tenant with the default role.
 * Throws Forbidden when registration is closed, Invalid naming what is missing or taken, Conflict when there is no tenant yet.
 */
export function register(accounts: Accounts, env: Environment, given: Registration): Promise<LoginResult> {
  if (!registrationIsOpen(env)) throw new Forbidden('Registration is closed.')
  refuseOwnName(given.password, given)
  return env.APP_MODE === 'saas' ? registerTenant(accounts, given) : registerUser(accounts, given)
}

async function registerTenant(accounts: Accounts, { name, email, password, company_name, slug }: Registration): Promise<LoginResult> {
  if (company_name === undefined || slug === undefined) throw new Invalid(missing({ company_name, slug }))
  // Before the hash, which is dear; the guards in the transaction still decide.
  const [bySlug, byEmail] = await accounts.store.getMany(deploymentWide, [slugKey(slug), emailKey(email)])
  const taken: FieldErrors = { ...(bySlug && slugTaken().errors), ...(byEmail && emailTaken().errors) }
  if (bySlug || byEmail) throw new Invalid(taken)
  const made = await createTenantWithAdministrator(accounts, { slug, name: company_name, administrator: { name, email, password } })
  return signIn(accounts, made.tenant, made.administrator)
}

async function registerUser(accounts: Accounts, { name, email, password }: Registration): Promise<LoginResult> {
  const tenant = await findFirstTenant(accounts.store)
  if (!tenant) throw new Conflict('This deployment has no tenant yet: its operator has to invite the first administrator.')
  const role = await defaultRole(accounts.config, tenant)
  // Whoever comes in by the front door is never an administrator, whatever DEFAULT_ROLE says.
  const roles = [role === administratorRole ? ordinaryRole : role]
  return signIn(accounts, tenant, await createUser(accounts, tenant, { name, email, password, roles }))
}

const missing = (fields: Record<string, string | undefined>): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value === undefined)
      .map(([name]) => [name, [`The ${name} field is required.`]]),
  )
