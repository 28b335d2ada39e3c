import { attemptDeliveries } from '../../wiring/messages/attempt-deliveries.ts'
import { textMessages } from '../../wiring/messages/text-messages.ts'

/** Makes one attempt at each text message that is due. */
export const handler = attemptDeliveries(textMessages)
