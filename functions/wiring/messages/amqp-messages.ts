import { clock } from '../../../shared/kernel/clock.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import { lazySender } from './lazy-sender.ts'

/** Publishes to brokers at public addresses, and on one machine to that machine. */
export const amqpMessages = lazySender(async () => {
  const { amqpSender } = await import('../../../shared/messages/senders/amqp/amqp.ts')
  const loopbackAllowed = environment().LOOPBACK_TARGETS === 'allowed'
  return amqpSender({ clock, loopbackAllowed })
})
