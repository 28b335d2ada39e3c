import { Conflict, Invalid } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { putConfigRow } from '../../platform/store/config.ts'
import { firstTenantKey } from '../../platform/store/keys/auth.ts'
import { allocateIds, allocateTenantId } from '../../platform/store/sequence/sequence.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { commit, type Step } from '../../platform/store/writes/commit.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { hashPassword } from '../credentials/password.ts'
import { administratorRole, ordinaryRole, roleRow, roleSequence } from '../roles/role.ts'
import { firstTenantItem, slugItem, tenantItem } from '../tenants/tenant-row.ts'
import { newPerson } from './create-user.ts'
import { newUser, putNewUser } from './new-user.ts'
import { putNewPerson } from './person.ts'
import { userEvent } from './user-event.ts'
import { type User, userSequence } from './user.ts'

export interface NewTenant {
  readonly slug: string
  readonly name: string
  /** It does not work until its administrator has proved the address. */
  readonly awaitsVerification?: boolean
  /** Left out when an invitation creates the administrator. `email` in lower case; the caller checks the password. */
  readonly administrator?: {
    readonly name: string
    readonly email: string
    readonly password: string
    /** The operator vouches for the address. */
    readonly emailVerified?: true
  }
}

/**
 * Creates a tenant with the roles `admin` and `user` and, when given, its administrator, in one transaction. Throws
 * Invalid naming `slug` or `email` when taken and, with `first`, Conflict when the deployment already has a tenant.
 */
export async function createTenant(
  { store, clock }: { store: Store; clock: Clock },
  { slug, name, administrator, awaitsVerification = false }: NewTenant,
  options: { first?: boolean } = {},
): Promise<{ tenant: Tenant; administrator?: User }> {
  const passwordHash = administrator && (await hashPassword(clock, administrator.password))
  const tenant: Tenant = {
    id: await allocateTenantId(store),
    slug,
    name,
    configVersion: 1,
    ...(awaitsVerification && { awaitsVerification }),
  }
  const [roleId, userId] = await Promise.all([
    allocateIds(store, tenant, roleSequence, 2),
    administrator ? allocateIds(store, tenant, userSequence) : 0,
  ])
  const first = await store.get(deploymentWide, firstTenantKey)
  if (first && options.first) throw notFirst()
  const at = isoTime(clock.now())
  const audit = { userId, at }
  const common = { rules: [], fields: {}, mfaRequired: false, version: 1 }
  const admin = { ...common, id: roleId, name: administratorRole, permissions: ['*'] }
  const user = { ...common, id: roleId + 1, name: ordinaryRole, permissions: [] }
  const madeUser = administrator && newUser(userId, administrator, { roles: [administratorRole] }, at)
  const steps: Step[] = [
    {
      write: {
        put: tenantItem(tenant, at),
        if: isNew,
      },
    },
    {
      write: { put: slugItem(tenant), if: isNew },
      refused: () => slugTaken(),
    },
    ...(first ? [] : [claimFirst(tenant, options.first === true)]),
    { write: putConfigRow(tenant, 'ROLE', roleRow(admin), null, audit) },
    { write: putConfigRow(tenant, 'ROLE', roleRow(user), null, audit) },
    ...(madeUser
      ? [
          ...putNewUser(tenant, madeUser, { rolesAreNew: true }),
          putNewPerson(newPerson(tenant, userId, administrator, passwordHash as string, at)),
          { write: userEvent(clock, tenant, { userId }, undefined, madeUser, { passwordSet: true }) },
        ]
      : []),
  ]
  await commit(store, deploymentWide, steps, clock.uuid())
  return { tenant, administrator: madeUser }
}

/** Creates a tenant whose administrator can sign in at once. Throws as `createTenant` does. */
export async function createTenantWithAdministrator(
  accounts: { store: Store; clock: Clock },
  tenant: NewTenant & Required<Pick<NewTenant, 'administrator'>>,
  options: { first?: boolean } = {},
): Promise<{ tenant: Tenant; administrator: User }> {
  const { tenant: made, administrator } = await createTenant(accounts, tenant, options)
  return { tenant: made, administrator: administrator as User }
}

export const slugTaken = (): Invalid => new Invalid({ slug: [say('taken', { field: 'slug' })] })

const notFirst = (): Conflict => new Conflict('tenant_exists', 'This deployment already has its tenant.')

/** Makes this tenant the first if there is none. With `must`, the transaction is refused when there is one. */
function claimFirst(tenant: Tenant, must: boolean): Step {
  const pointer = firstTenantItem(tenant)
  if (must) return { write: { put: pointer, if: isNew }, refused: notFirst }
  return {
    write: {
      update: firstTenantKey,
      change: {
        expression: 'SET tenant_id = if_not_exists(tenant_id, :id), #kind = :kind, #v = :v',
        names: { '#kind': 'kind', '#v': 'v' },
        values: { ':id': pointer.tenant_id, ':kind': pointer.kind, ':v': pointer.v },
      },
    },
  }
}
