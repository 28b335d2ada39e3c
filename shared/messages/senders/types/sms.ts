import { guardedRequests } from '../../../platform/net/guarded-request.ts'
import { onlyOwners } from '../only-owners.ts'
import type { CreateSender } from '../sender-context.ts'
import { smsGateway, smsGatewayLimits } from '../sms/sms-gateway.ts'
import { smsThroughSns } from '../sms/sms-sns.ts'
import { smsSender } from '../sms/sms.ts'

/** Sends SMS through the HTTP gateway of their channel, or, for tenants that may, through SNS at the operator's cost. */
export const createSender: CreateSender<'sms'> = ({ clock, environment: { APP_MODE, SMS_TENANTS }, loopbackAllowed }) =>
  onlyOwners(
    smsSender({
      http: smsGateway({ clock, send: guardedRequests({ ...smsGatewayLimits, allowLoopback: loopbackAllowed }) }),
      sns: smsThroughSns(),
    }),
    (slug, { config: { provider } }) =>
      provider === 'http' || (SMS_TENANTS ? SMS_TENANTS.has(slug) : APP_MODE === 'single')
        ? undefined
        : 'The operator has not allowed this company to send SMS through SNS (SMS_TENANTS): use an HTTP gateway.',
  )
