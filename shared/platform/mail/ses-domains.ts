import { mayUseResource } from '../../kernel/runtime/account-resources.ts'

/** The operator's settings that decide who may send as whom through the SES of the deployment. */
interface SesDomains {
  readonly APP_MODE: 'single' | 'saas'
  /** Slugs of tenants by domain. */
  readonly SES_DOMAINS?: ReadonlyMap<string, string>
}

/**
 * Whether a tenant may send from an address through SES. All tenants share the account, which has verified the domains of
 * several: none may send in the name of another.
 */
export function mayUseSes({ APP_MODE, SES_DOMAINS }: SesDomains, slug: string, fromAddress: string): boolean {
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1).toLowerCase()
  return mayUseResource(APP_MODE, SES_DOMAINS, domain, slug)
}
