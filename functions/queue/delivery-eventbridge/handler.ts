import { attemptDeliveries } from '../../wiring/messages/attempt-deliveries.ts'
import { events } from '../../wiring/messages/events.ts'

/** Makes one attempt at each event that is due. */
export const handler = attemptDeliveries(events)
