import * as z from 'zod'
import {
  maxLinkTokenCharacters,
  maxProviderTextCharacters,
  maxRedirectCharacters,
} from '../../../kernel/limits/accounts.ts'
import { maxNameCharacters } from '../../../kernel/limits/requests.ts'
import { oauthProviderNames } from './oauth/oauth-provider.ts'

export const SsoBody = z.strictObject({
  token: z.string().meta({ description: 'A JWT of the identity provider, in compact form.' }),
})

export const OauthParams = z.object({
  provider: z
    .string()
    .max(maxNameCharacters)
    .meta({ description: '`google`, `microsoft` or `sso`; any other name is 404.' }),
})

/** A path, and nothing that a browser may read as another host. */
const pathInApp = /^\/(?![/\\])[^\\\s\p{Cc}#]*$/u

export const OauthRedirectQuery = z.strictObject({
  tenant: z
    .string()
    .max(maxNameCharacters)
    .optional()
    .meta({ description: 'Slug of the company to sign in to. Required in SaaS mode.' }),
  redirect: z
    .string()
    .max(maxRedirectCharacters)
    .regex(pathInApp, { error: 'Use a path of the web app, such as /requests.' })
    .optional()
    .meta({
      description:
        'A path of the web app (`APP_URL`) to return to with a one-time code. Without `APP_URL` only `/sign-in` of the app that the service has itself.',
    }),
})

const Sent = z.string().max(maxProviderTextCharacters).optional()

/** What providers send along differs, so other names pass. */
export const OauthCallbackQuery = z.looseObject({
  state: Sent.meta({ description: 'Names the sign-in that the redirect began.' }),
  code: Sent.meta({ description: "The provider's code." }),
  iss: Sent.meta({ description: 'The issuer, from providers that send it.' }),
  error: Sent.meta({ description: 'Why the provider signs nobody in.' }),
})

export const SignInOptionsQuery = OauthRedirectQuery.pick({ tenant: true })

export const SignInOptions = z.object({
  providers: z
    .array(z.enum(oauthProviderNames))
    .meta({ description: 'Send the browser to `GET /api/auth/{provider}/redirect` to sign in there.' }),
  registration: z.enum(['open', 'closed']).meta({ description: 'Whether `POST /api/register` is open.' }),
})

export const ExchangeBody = z.strictObject({
  code: z
    .string()
    .max(maxLinkTokenCharacters)
    .meta({ description: 'The one-time code that came with the redirect to the web app.' }),
})
