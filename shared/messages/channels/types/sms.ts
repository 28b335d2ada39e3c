import * as z from 'zod'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { auth, authSecrets, httpUrl, retrySchedule, text } from '../config/config-values.ts'

/** SMS, through an HTTP gateway of the tenant or the SNS of the deployment. */
export const sms = {
  config: z.strictObject({
    provider: z.enum(['sns', 'http']),
    sender_id: text.optional(),
    url: httpUrl.optional(),
    auth: auth.optional(),
    retry_schedule: retrySchedule,
  }),
  secrets: authSecrets,
  members: 'provider (sns, http), sender_id, url, auth',
  check: ({ provider, url }: { readonly provider: string; readonly url?: string }) =>
    provider === 'http' && url === undefined
      ? { 'config.url': ['The config.url field is required for the provider http.'] }
      : undefined,
  content: 'text',
  description: 'Sends text messages, and records what became of them',
  deadLetters: 'Wake-ups of text messages that delivery-sms failed on',
  rights: [{ on: 'phone-numbers', actions: ['sns:Publish'] }],
  environment: ['APP_MODE', 'SMS_TENANTS'],
} as const satisfies ChannelTypeDeclaration
