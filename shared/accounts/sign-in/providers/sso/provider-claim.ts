import { Invalid } from '../../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../../kernel/tenancy.ts'
import { identityProviderKey } from '../../../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import type { Step } from '../../../../platform/store/writes/commit.ts'
import { equals, isNew, or } from '../../../../platform/store/writes/conditions.ts'

/** The settings that name the identity provider of a tenant. */
interface ProviderSettings {
  readonly SSO_ISSUER: string | number | null
  readonly SSO_AUDIENCE: string | number | null
}

/**
 * The steps that make issuer and audience the tenant's own when the settings name both, and give up the former ones.
 * Refused with Invalid naming `SSO_AUDIENCE` when they are another tenant's.
 */
export function moveProviderClaim(tenant: TenantRef, before: ProviderSettings, after: ProviderSettings): Step[] {
  const [old, now] = [keyOf(before), keyOf(after)]
  if (old?.pk === now?.pk) return []
  return [
    ...(old ? [{ write: { remove: old, if: or(isNew, equals('tenant_id', tenant.id)) } }] : []),
    ...(now
      ? [
          {
            write: {
              put: { ...now, kind: 'identity_provider', v: 1, tenant_id: tenant.id },
              if: or(isNew, equals('tenant_id', tenant.id)),
            },
            refused: () =>
              new Invalid({ SSO_AUDIENCE: ['This issuer and audience already belong to another company.'] }),
          },
        ]
      : []),
  ]
}

const keyOf = ({ SSO_ISSUER, SSO_AUDIENCE }: ProviderSettings) =>
  SSO_ISSUER === null || SSO_AUDIENCE === null
    ? undefined
    : identityProviderKey(String(SSO_ISSUER), String(SSO_AUDIENCE))

/** The tenant whose provider issues tokens for one of these audiences; undefined when there is none. */
export async function findProviderTenant(
  store: Pick<Store, 'getMany'>,
  issuer: string,
  audiences: readonly string[],
): Promise<TenantRef | undefined> {
  const keys = [...new Set(audiences)].map((audience) => identityProviderKey(issuer, audience))
  const claim = (await store.getMany(deploymentWide, keys)).find((item) => item !== undefined)
  return claim && readClaim(claim)
}

const readClaim = (item: Item): TenantRef => ({ id: Number(item.tenant_id) })
