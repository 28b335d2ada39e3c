import { attemptDeliveries } from '../../wiring/messages/attempt-deliveries.ts'
import { webhooks } from '../../wiring/messages/webhooks.ts'

/** Makes one attempt at each webhook that is due. */
export const handler = attemptDeliveries(webhooks)
