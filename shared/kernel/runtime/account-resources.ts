import type { environment } from './environment.ts'

/**
 * Whether a tenant may use a resource of the operator's cloud account, which all tenants share: a stream, an event bus, a
 * domain of mails, text messages. The operator says whose each is; as long as nothing is said, everything is the tenant's
 * in single mode, and nobody's in saas mode.
 */
export const mayUseResource = (
  mode: ReturnType<typeof environment>['APP_MODE'],
  owners: ReadonlyMap<string, string> | undefined,
  name: string,
  slug: string,
): boolean => (owners || mode === 'saas' ? owners?.get(name) === slug : true)
