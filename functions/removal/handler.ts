import { findTenant } from '../../shared/auth/tenant.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { ChangeEvent } from '../../shared/store/change.ts'
import { compose } from '../compose.ts'

const { store, entities } = compose()

/** Time kept for leaving the mark that brings an unfinished delete back. */
const reserveMs = 15_000

/** Goes on with deletes that their requests could not finish. */
export const handler = onQueue(ChangeEvent, async ({ tenant_id, model, id }, remainingMs) => {
  const tenant = await findTenant(store, tenant_id)
  if (!tenant) throw new Error(`there is no tenant ${tenant_id}`)
  return entities.goOnRemoving(tenant, model, id, () => remainingMs() < reserveMs)
})
