import { clock } from '../../../shared/kernel/clock.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import { guardedRequests } from '../../../shared/net/guarded-request.ts'
import { webhookLimits, webhookSender } from '../../../shared/senders/service.ts'

/** Sends webhooks to public addresses, and on one machine to that machine. */
export const webhooks = webhookSender({
  clock,
  send: guardedRequests({ ...webhookLimits, allowLoopback: environment().LOOPBACK_TARGETS === 'allowed' }),
})
