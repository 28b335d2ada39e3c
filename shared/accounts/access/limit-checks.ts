import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Table } from '../../tables/tables/table.ts'
import { checkLimits, type Limits } from './check-limits.ts'
import { permissionWarnings } from './check-permissions.ts'

/** What the administration of roles checks against the tables of a tenant, which `allTables` answers. */
export const limitChecks = (allTables: (tenant: Tenant) => Promise<readonly Table[]>) => ({
  checkLimits: async (tenant: Tenant, limits: Limits, before: Limits): Promise<FieldErrors> =>
    checkLimits(await allTables(tenant), limits, before),
  permissionWarnings: async (tenant: Tenant, permissions: readonly string[]): Promise<readonly Warning[]> =>
    permissionWarnings(new Set((await allTables(tenant)).map(({ name }) => name)), permissions, 'permissions'),
})
