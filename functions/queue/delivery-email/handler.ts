import { attemptDeliveries } from '../../wiring/messages/attempt-deliveries.ts'
import { mails } from '../../wiring/messages/mails.ts'

/** Makes one attempt at each mail that is due. */
export const handler = attemptDeliveries(mails)
