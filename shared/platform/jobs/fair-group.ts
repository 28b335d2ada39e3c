import type { TenantRef } from '../../kernel/tenancy.ts'
import type { JobStarter } from './define-job.ts'

/**
 * Whose turns a job takes: those of its tenant; or, when the service itself started it, those that the jobs of the
 * service have for all tenants, so neither makes the other wait for long.
 */
export const fairGroupOf = (tenant: TenantRef, { userId }: Pick<JobStarter, 'userId'>): string =>
  userId === 0 ? 'service' : String(tenant.id)
