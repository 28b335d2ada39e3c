import { Conflict, Forbidden, Invalid, type FieldErrors } from '../../kernel/faults.ts'
import { emailKey, slugKey } from '../../store/keys/auth.ts'
import { deploymentWide } from '../../store/table.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { administratorRole, ordinaryRole } from '../roles/role-names.ts'
import { defaultRole } from '../roles/role.ts'
import { signIn, type LoginResult } from '../sessions/login.ts'
import { createTenantWithAdministrator, findFirstTenant, slugTaken } from '../tenants/tenant.ts'
import { createUser, emailTaken, refuseOwnName } from './create-user.ts'

export interface Registration {
  readonly name: string
  /** In lower case. */
  readonly email: string
  readonly password: string
}

/** Where registration is closed, nothing that was sent is looked at. */
export function refuseRegistration(): never {
  throw new Forbidden('registration_closed', 'Registration is closed.')
}

/** A tenant and its administrator. Throws Invalid naming what is taken. */
export async function registerTenant(
  accounts: AccountDependencies,
  {
    name,
    email,
    password,
    company_name,
    slug,
  }: Registration & { readonly company_name: string; readonly slug: string },
): Promise<LoginResult> {
  refuseOwnName(password, { name, email })
  // Before the hash, which is dear; the guards in the transaction still decide.
  const [bySlug, byEmail] = await accounts.store.getMany(deploymentWide, [slugKey(slug), emailKey(email)])
  const taken: FieldErrors = { ...(bySlug && slugTaken().errors), ...(byEmail && emailTaken().errors) }
  if (bySlug || byEmail) throw new Invalid(taken)
  const made = await createTenantWithAdministrator(accounts, {
    slug,
    name: company_name,
    administrator: { name, email, password },
  })
  return signIn(accounts, made.tenant, made.administrator)
}

/** A user of the one tenant, with the default role. Throws Invalid naming what is taken, Conflict when there is no tenant yet. */
export async function registerUser(
  accounts: AccountDependencies,
  { name, email, password }: Registration,
): Promise<LoginResult> {
  const tenant = await findFirstTenant(accounts.store)
  if (!tenant)
    throw new Conflict(
      'no_tenant',
      'This deployment has no tenant yet: its operator has to invite the first administrator.',
    )
  const role = await defaultRole(accounts.config, tenant)
  // Whoever comes in by the front door is never an administrator, whatever DEFAULT_ROLE says.
  const roles = [role === administratorRole ? ordinaryRole : role]
  return signIn(accounts, tenant, await createUser(accounts, tenant, { name, email, password, roles }))
}
