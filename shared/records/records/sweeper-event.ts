import type { TenantRef } from '../../kernel/tenancy.ts'
import type { ChangeEvent } from '../../platform/queue/change-feed/change-event.ts'

/**
 * The message that makes record-cleanup resume unfinished work on a record: `delete` its delete, `update` its hooks.
 * `create` without an id: it looks for the creates of the table that were cut off.
 */
export const sweeperEvent = (
  record: { readonly tenant: TenantRef; readonly model: string; readonly id: number },
  action: ChangeEvent['action'],
): ChangeEvent => ({
  v: 1,
  tenant_id: record.tenant.id,
  model: record.model,
  id: record.id,
  version: 0,
  action,
  actor: 0,
  source: 'sweeper',
})
