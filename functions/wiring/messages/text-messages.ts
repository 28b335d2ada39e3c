import { clock } from '../../../shared/kernel/clock.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import {
  onlyOwners,
  smsGateway,
  smsGatewayLimits,
  smsSender,
  smsThroughSns,
} from '../../../shared/messages/senders/service.ts'
import { guardedRequests } from '../../../shared/platform/net/guarded-request.ts'

const { APP_MODE, LOOPBACK_TARGETS, SMS_TENANTS } = environment()
const allowLoopback = LOOPBACK_TARGETS === 'allowed'
const either = smsSender({
  http: smsGateway({ clock, send: guardedRequests({ ...smsGatewayLimits, allowLoopback }) }),
  sns: smsThroughSns(),
})

/** Sends SMS through the HTTP gateway of their channel, or, for tenants that may, through SNS at the operator's cost. */
export const textMessages = onlyOwners(either, (slug, { config: { provider } }) =>
  provider === 'http' || (SMS_TENANTS ? SMS_TENANTS.has(slug) : APP_MODE === 'single')
    ? undefined
    : 'The operator has not allowed this company to send SMS through SNS (SMS_TENANTS): use an HTTP gateway.',
)
