import { createTenantWithAdministrator } from '../../../shared/accounts/people/create-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { TestService } from '../services/service.ts'

const password = 'sufficiently long 7'
let tenants = 0
/** The roles made for each company. */
const made = new WeakMap<TestService, number>()

/** Creates another tenant of the deployment; answers the token of its administrator. */
export async function otherTenant(service: TestService, slug = `other-${++tenants}`): Promise<{ token: string }> {
  const administrator = { name: 'Mallory', email: `${slug}@other.test`, password, emailVerified: true } as const
  await createTenantWithAdministrator({ store: service.store, clock }, { slug, name: slug, administrator })
  return { token: await signIn(service, administrator.email) }
}

/** Creates a user of the first tenant, whose only role has these permissions and rules; logs the user in. */
export async function userWith(
  service: TestService,
  permissions: readonly string[],
  rules: readonly object[] = [],
  fields: object = {},
): Promise<{ token: string; id: number; role: string; roleId: number }> {
  const { token } = service.admin
  const count = (made.get(service) ?? 0) + 1
  made.set(service, count)
  const role = `role_${count}`
  const email = `${role}@${service.tenant.slug}.test`
  const created = await service.api('POST', '/api/sys/roles', {
    token,
    body: { name: role, permissions, rules, fields },
  })
  if (created.status !== 201) throw new Error(`role: ${JSON.stringify(created.body)}`)
  const user = await service.api('POST', '/api/sys/users', {
    token,
    body: { name: `User ${count}`, email, password, roles: [role] },
  })
  if (user.status !== 201) throw new Error(`user: ${JSON.stringify(user.body)}`)
  return { token: await signIn(service, email), id: user.body.data.id, role, roleId: created.body.data.id }
}

async function signIn(service: TestService, email: string): Promise<string> {
  const { status, body } = await service.api('POST', '/api/login-local', { body: { email, password } })
  if (status !== 200) throw new Error(`sign in: ${JSON.stringify(body)}`)
  return body.token
}
