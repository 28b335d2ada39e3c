import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { attemptDelivery } from '../../../shared/messages/deliveries/attempt/attempt-delivery.ts'
import { DeliveryWake } from '../../../shared/messages/deliveries/messages.ts'
import type { CreateSender } from '../../../shared/messages/senders/sender-context.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { attemptsWith } from '../../wiring/messages/attempts-with.ts'
import { senderContext } from '../../wiring/messages/sender-context.ts'
import { store } from '../../wiring/platform/store.ts'

/**
 * The handler of a queue of deliveries: makes one attempt at each that is due, with the sender of their type, which is
 * loaded with the first of them. The bundler makes a function of each type of channel with it (esbuild.config.ts).
 */
export function attemptDeliveries(load: () => Promise<{ readonly createSender: CreateSender }>) {
  let attempts: Promise<ReturnType<typeof attemptsWith>> | undefined
  return onQueue(DeliveryWake, async ({ tenant_id, delivery_id }) => {
    const tenant = await findTenantOfMessage(store, tenant_id)
    attempts ??= load().then(({ createSender }) => attemptsWith(createSender(senderContext)))
    if (tenant) await attemptDelivery(await attempts, tenant, delivery_id)
  })
}
