import * as z from 'zod'
import { signingSecret } from '../../../platform/secrets/signing-secret.ts'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { extraHeaders } from '../config/channel-headers.ts'
import { auth, authSecrets, httpUrl, retrySchedule } from '../config/config-values.ts'

/** Requests as Standard Webhooks defines them. */
export const webhook = {
  config: z.strictObject({
    url: httpUrl,
    auth: auth.default({ type: 'none' }),
    secret: signingSecret.optional(),
    headers: extraHeaders.optional(),
    retry_schedule: retrySchedule,
  }),
  secrets: ['secret', ...authSecrets],
  members:
    'url, auth ({type: none, basic, bearer or header, with username and password, token, or name and value}), secret (whsec_...), headers',
  content: 'json',
  // Without its query, which may hold a secret.
  placeOf({ url: address }) {
    const url = URL.parse(String(address))
    return url ? `${url.origin}${url.pathname}` : ''
  },
  description: 'Sends webhooks, and records what became of them',
  deadLetters: 'Wake-ups of webhooks that delivery-webhook failed on',
} as const satisfies ChannelTypeDeclaration
