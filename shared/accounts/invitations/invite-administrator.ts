import * as z from 'zod'
import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { parseInput } from '../../platform/http/routing/input/parse-input.ts'
import type { Store } from '../../platform/store/store.ts'
import { EmailAddress, TenantSlug } from '../account-fields.ts'
import { createTenant } from '../people/create-tenant.ts'
import { administratorRole } from '../roles/role.ts'
import { findFirstTenant, findTenantBySlug } from '../tenants/find-tenant.ts'
import { createInvitation } from './create-invitation.ts'

const Request = z.strictObject({ email: EmailAddress, tenant: TenantSlug.optional() })

/** The default slug of a deployment's first tenant. */
const firstSlug = 'main'

/**
 * Invites an administrator for an operator: the first of a deployment, whose tenant is created too, or one who lost the
 * password. `tenant` defaults to the first tenant. Throws Invalid, and NotFound for an unknown slug when tenants exist.
 */
export async function inviteAdministrator(
  accounts: { store: Store; clock: Clock },
  given: { readonly email?: string; readonly tenant?: string },
): Promise<{ tenant: Tenant; email: string; token: string; expires_at: string }> {
  const { email, tenant: slug } = parseInput(Request, given)
  const first = await findFirstTenant(accounts.store)
  const tenant = slug === undefined ? first : await findTenantBySlug(accounts.store, slug)
  if (!tenant && first) throw new NotFound('tenant', { slug }, `The tenant ${slug} was not found.`)
  const found =
    tenant ??
    (await createTenant(accounts, { slug: slug ?? firstSlug, name: slug ?? firstSlug }, { first: true })).tenant
  const { token, invitation } = await createInvitation(accounts, found, { email, roles: [administratorRole] })
  return { tenant: found, email, token, expires_at: isoTime(invitation.expiresAtMs) }
}
