import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { indexChanges } from '../../../shared/lists/columns/keeper/index-changes.ts'
import { ChangeEvent } from '../../../shared/platform/queue/change-feed/change-event.ts'
import { onQueueBatch } from '../../../shared/platform/queue/on-queue-batch.ts'
import { keeper } from '../../wiring/lists/keeper.ts'
import { readSaid } from '../../wiring/lists/read-said.ts'
import { store } from '../../wiring/platform/store.ts'

const dependencies = { store, keeper, readSaid, findTenant: (id: number) => findTenantOfMessage(store, id) }

/** Keeps the columns and words of changed records, and of what was said about them. */
export const handler = onQueueBatch(ChangeEvent, (changes) => indexChanges(dependencies, changes))
