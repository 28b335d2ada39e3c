import { byName } from '../../kernel/collections/own-members.ts'
import { Invalid, type FieldErrors } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import type { Config } from '../../platform/store/config.ts'

/**
 * Runs a write that names roles, which its transaction checks. When it is refused, the Invalid also names each of these
 * roles that does not exist, by its path `roles.<n>` in the request.
 */
export async function namingUnknownRoles<T>(
  { config }: { readonly config: Pick<Config, 'listFresh'> },
  tenant: TenantRef,
  roles: readonly string[] | undefined,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Invalid) || Object.keys(error.errors).length === 0 || !roles?.length) throw error
    const known = (await config.listFresh(tenant, 'ROLE')).map(({ name }) => name)
    const unknown: FieldErrors = byName()
    for (const [index, role] of roles.entries())
      if (!known.includes(role))
        unknown[`roles.${index}`] = [`The selected roles.${index} is invalid: ${thereIsNo('role', role, known)}`]
    if (Object.keys(unknown).length === 0) throw error
    const others = Object.entries(error.errors).filter(([path]) => !path.startsWith('roles.'))
    throw error.withErrors({ ...Object.fromEntries(others), ...unknown })
  }
}
