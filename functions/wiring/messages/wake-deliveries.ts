import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { deliveryQueueOf } from '../../../shared/messages/channels/channel-type.ts'
import { deliveryWaker } from '../../../shared/messages/deliveries/wake.ts'
import { send } from '../platform/send.ts'

/** Wakes deliveries through the queue of their type. */
export const wakeDeliveries = deliveryWaker(send, (type) =>
  requireEnvironment(`${deliveryQueueOf(type).toUpperCase()}_QUEUE_URL`),
)
