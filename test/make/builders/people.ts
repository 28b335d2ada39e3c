import { createTenantWithAdministrator } from '../../../shared/accounts/auth/tenants/create-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { TestService } from '../services/service.ts'

const password = 'sufficiently long 7'
let count = 0

/** Creates another tenant of the deployment; answers the token of its administrator. */
export async function otherTenant(service: TestService, slug = `other-${++count}`): Promise<{ token: string }> {
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
  const role = `role_${++count}`
  const email = `${role}@acme.test`
  const made = await service.api('POST', '/api/sys/roles', { token, body: { name: role, permissions, rules, fields } })
  if (made.status !== 201) throw new Error(`role: ${JSON.stringify(made.body)}`)
  const user = await service.api('POST', '/api/sys/users', {
    token,
    body: { name: `User ${count}`, email, password, roles: [role] },
  })
  if (user.status !== 201) throw new Error(`user: ${JSON.stringify(user.body)}`)
  return { token: await signIn(service, email), id: user.body.data.id, role, roleId: made.body.data.id }
}

async function signIn(service: TestService, email: string): Promise<string> {
  const { status, body } = await service.api('POST', '/api/login-local', { body: { email, password } })
  if (status !== 200) throw new Error(`sign in: ${JSON.stringify(body)}`)
  return body.token
}
