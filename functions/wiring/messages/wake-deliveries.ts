import { deliveryWaker } from '../../../shared/deliveries/service.ts'
import { requireEnvironment } from '../../../shared/kernel/require-environment.ts'
import { send } from '../send.ts'

const webhooks = requireEnvironment('WEBHOOKS_QUEUE_URL')

/** Wakes deliveries through the queue of their type. */
export const wakeDeliveries = deliveryWaker(send, (type) => (type === 'webhook' ? webhooks : undefined))
