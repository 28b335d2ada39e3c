import { attemptDeliveries } from '../../wiring/messages/attempt-deliveries.ts'
import { messenger } from '../../wiring/messages/messenger.ts'

/** Makes one attempt at each message of a bot that is due. */
export const handler = attemptDeliveries(messenger)
