import { clock } from '../../../shared/kernel/clock.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import { webhookLimits, webhookSender } from '../../../shared/messages/senders/service.ts'
import { guardedRequests } from '../../../shared/platform/net/guarded-request.ts'

/** Sends webhooks to public addresses, and on one machine to that machine. */
export const webhooks = webhookSender({
  clock,
  send: guardedRequests({ ...webhookLimits, allowLoopback: environment().LOOPBACK_TARGETS === 'allowed' }),
})
