import { attemptDeliveries } from '../../wiring/messages/attempt-deliveries.ts'
import { streamRecords } from '../../wiring/messages/stream-records.ts'

/** Makes one attempt at each stream record that is due. */
export const handler = attemptDeliveries(streamRecords)
