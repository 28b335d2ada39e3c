import { amqpMessages } from '../../wiring/messages/amqp-messages.ts'
import { attemptDeliveries } from '../../wiring/messages/attempt-deliveries.ts'

/** Makes one attempt at each AMQP message that is due. */
export const handler = attemptDeliveries(amqpMessages)
