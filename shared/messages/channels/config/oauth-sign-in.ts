import * as z from 'zod'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { maxUrlCharacters } from '../../../kernel/limits/messages.ts'
import { secret, text } from './config-values.ts'

/** How the service signs in at a provider without a password; in mailboxes and in channels of mails. */
export const OauthSignIn = z.strictObject({
  kind: z.literal('oauth'),
  provider: z.enum(['google', 'microsoft']),
  flow: z.enum(['authorization_code', 'client_credentials']).meta({
    description:
      '`authorization_code`: somebody signs in once, by `POST /api/sys/mailboxes/{id}/authorize`; a channel sends by the sign-in of the mailbox that names it. `client_credentials`: the application itself, at Microsoft only.',
  }),
  client_id: text,
  client_secret: secret,
  tenant: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.-]{1,100}$/, { error: 'Use the id or the domain of a directory at Microsoft.' })
    .nullish()
    .meta({ description: 'The directory at Microsoft: its id or a domain. Required with `client_credentials`.' }),
  issuer: z
    .url({ protocol: /^https?$/ })
    .max(maxUrlCharacters)
    .nullish()
    .meta({
      description:
        'Of a provider that answers at another address, such as a national cloud: where its metadata are (`/.well-known/openid-configuration` below it).',
    }),
})
export type OauthSignIn = z.output<typeof OauthSignIn>

/** What is wrong with a sign-in at a provider, below `path`. */
export function signInErrors(
  { provider, flow, tenant, issuer }: Pick<OauthSignIn, 'provider' | 'flow' | 'tenant' | 'issuer'>,
  path: string,
): FieldErrors {
  if (flow !== 'client_credentials') return {}
  if (provider === 'google')
    return { [`${path}.flow`]: ['Google lets nobody in by client_credentials: use authorization_code.'] }
  return tenant || issuer
    ? {}
    : { [`${path}.tenant`]: ['The directory is required with client_credentials: its id or a domain of yours.'] }
}
