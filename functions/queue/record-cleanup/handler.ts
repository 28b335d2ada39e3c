import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { ChangeEvent } from '../../../shared/platform/queue/change-feed/change-event.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { repairCount } from '../../../shared/records/records/count/repair-count.ts'
import { continueRemoval } from '../../../shared/records/records/delete/continue-removal.ts'
import { lookAgain } from '../../../shared/records/records/delete/look-again.ts'
import { continueRelationRemoval } from '../../../shared/records/relations/continue-relation-removal.ts'
import { relationSequence } from '../../../shared/records/relations/relation.ts'
import { config } from '../../wiring/platform/config.ts'
import { store } from '../../wiring/platform/store.ts'
import { recordWrites } from '../../wiring/records/record-writes.ts'

const relations = { store, config, clock }
const counts = { store, clock, settleMs: environment().SETTLE_MS }

/** Time left to queue an unfinished delete again. */
const reserveMs = 15_000
/** The table is read once, at the start: no write may use its configuration for longer than a request lasts. */
const maxMs = 20_000

/**
 * Finishes what requests left open: deletes of records, deletes of relations with their links, pending hooks, and the count
 * of creates that were cut off; and looks again for references to records that are gone.
 */
export const handler = onQueue(ChangeEvent, async ({ tenant_id, model, id, action, look_again }, remainingMs) => {
  const tenant = await findTenantOfMessage(store, tenant_id)
  if (!tenant) return
  if (action === 'create') return repairCount(counts, tenant, model)
  if (look_again) return lookAgain(recordWrites, tenant, model, id, () => remainingMs() < reserveMs)
  if (action !== 'delete') return recordWrites.hooks.runPending(tenant, model, id, 'overdue')
  const endsAt = clock.now() + maxMs
  const timeIsUp = () => remainingMs() < reserveMs || clock.now() > endsAt
  return model === relationSequence
    ? continueRelationRemoval(relations, tenant, id, timeIsUp)
    : continueRemoval(recordWrites, tenant, model, id, timeIsUp)
})
