import { clock } from '../../../shared/kernel/clock.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import { guardedRequests } from '../../../shared/net/guarded-request.ts'
import { smsGateway, smsGatewayLimits, smsSender, smsThroughSns } from '../../../shared/senders/service.ts'

const allowLoopback = environment().LOOPBACK_TARGETS === 'allowed'

/** Sends SMS through SNS or the HTTP gateway of their channel. */
export const textMessages = smsSender({
  http: smsGateway({ clock, send: guardedRequests({ ...smsGatewayLimits, allowLoopback }) }),
  sns: smsThroughSns(),
})
