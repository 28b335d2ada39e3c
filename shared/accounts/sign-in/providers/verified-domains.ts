import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import { findFirstTenant } from '../../tenants/find-tenant.ts'

/** The operator's settings that decide which addresses belong to which tenant (docs/decisions/0050). */
export interface DomainSettings {
  readonly APP_MODE: 'single' | 'saas'
  /** Slugs of tenants by domain. */
  readonly SSO_DOMAINS?: ReadonlyMap<string, string>
}

/** The slug of the tenant that the domain of an address belongs to. */
export const domainOwner = ({ SSO_DOMAINS }: DomainSettings, email: string): string | undefined =>
  SSO_DOMAINS?.get(email.slice(email.lastIndexOf('@') + 1))

/**
 * Whether the address is in a verified domain of the tenant. The only tenant of a deployment in single mode has every
 * domain, unless the operator named some.
 */
export async function ownsDomain(
  store: Pick<Store, 'get'>,
  settings: DomainSettings,
  tenant: Tenant,
  email: string,
): Promise<boolean> {
  if (settings.SSO_DOMAINS || settings.APP_MODE === 'saas') return domainOwner(settings, email) === tenant.slug
  return (await findFirstTenant(store))?.id === tenant.id
}
