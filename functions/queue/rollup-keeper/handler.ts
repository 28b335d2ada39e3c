import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { onQueueBatch } from '../../../shared/platform/queue/on-queue-batch.ts'
import { keepRollups } from '../../../shared/records/rollups/keep-rollups.ts'
import { TouchedRollups } from '../../../shared/records/rollups/schema.ts'
import { columns } from '../../wiring/lists/columns.ts'
import { queries } from '../../wiring/lists/queries.ts'
import { store } from '../../wiring/platform/store.ts'
import { tables } from '../../wiring/tables/tables.ts'

const dependencies = {
  store,
  clock,
  tables,
  queries,
  columns,
  findTenant: (id: number) => findTenantOfMessage(store, id),
}

/** Keeps the rollups that changed records touch. */
export const handler = onQueueBatch(TouchedRollups, (messages) => keepRollups(dependencies, messages))
