import { expandIntent, ExpansionRequest } from '../../shared/deliveries/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { wakeDeliveries } from '../wiring/messages/wake-deliveries.ts'
import { store } from '../wiring/store.ts'

const dependencies = { store, clock, wake: wakeDeliveries }

/** Makes one delivery for each recipient of an intent. */
export const handler = onQueue(ExpansionRequest, ({ tenant_id, intent }) =>
  expandIntent(dependencies, { id: tenant_id }, intent),
)
