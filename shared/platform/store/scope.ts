import type { TenantRef } from '../../kernel/tenancy.ts'
import { belongsTo, type Key } from './keys/key.ts'

/** Scope of reads and writes that belong to no single tenant: tokens, e-mail addresses, the creation of a tenant. */
export const deploymentWide = Symbol('deployment-wide')
export type Scope = TenantRef | typeof deploymentWide

/** Throws when the key belongs to another tenant than the scope. */
export function requireInScope(scope: Scope, key: Key): void {
  if (scope !== deploymentWide && !belongsTo(key, scope)) throw new Error(`key ${key.pk} is not of tenant ${scope.id}`)
}
