import { findTenant } from '../../shared/auth/service.ts'
import { ChangeEvent } from '../../shared/queue/change-feed/change-event.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { relationSequence } from '../../shared/relations/service.ts'
import { compose } from '../wiring/compose.ts'

const { clock, store, entities, relations } = compose({
  loadScripts: () => import('../../shared/scripts/script-runtime.ts'),
})

/** Time kept for leaving the mark that brings an unfinished delete back. */
const reserveMs = 15_000
/** Tables are as they were read at the start: no write may follow their configuration for longer than a request lives. */
const longestMs = 20_000

/**
 * Finishes what requests left undone: deletes of records, and of relations with their links, and after hooks that a crash
 * kept from running.
 */
export const handler = onQueue(ChangeEvent, async ({ tenant_id, model, id, action }, remainingMs) => {
  const tenant = await findTenant(store, tenant_id)
  if (!tenant) throw new Error(`there is no tenant ${tenant_id}`)
  if (action !== 'delete') return entities.catchUpHooks(tenant, model, id, 'overdue')
  const endsAt = clock.now() + longestMs
  const timeIsUp = () => remainingMs() < reserveMs || clock.now() > endsAt
  return model === relationSequence
    ? relations.resumeRemovals(tenant, id, timeIsUp)
    : entities.resumeRemovals(tenant, model, id, timeIsUp)
})
