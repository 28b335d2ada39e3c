import * as z from 'zod'
import {
  ExchangeBody,
  LoginAnswer,
  OauthCallbackQuery,
  OauthParams,
  OauthRedirectQuery,
  SsoBody,
} from '../../../shared/accounts/schema.ts'
import { maxOpenBodyBytes } from '../../../shared/kernel/limits/requests.ts'
import { defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'

const tag = 'Sign-in at providers'
const login = {
  token: '8471123004|3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs',
  user: { id: 3, name: 'Ada Lovelace', email: 'ada@example.com', roles: ['agent'] },
  tenant: { slug: 'acme', name: 'Acme Ltd' },
}

export const logInSso = defineRoute({
  method: 'POST',
  path: '/api/login-sso',
  tag,
  summary: 'Sign in with a token of an identity provider',
  description:
    'Takes a JWT of the provider that the settings `SSO_*` name, of the company or of the deployment. It must be signed with a key of the provider (RS, PS, ES or EdDSA), name exactly its issuer and audience, hold `exp`, `iat`, `sub` and `email`, and not be expired; one with a `jti` signs in once. The first sign-in creates the user with the default role. Each sign-in gives the organisational units and roles that `/api/sys/auth-mappings` gives to the groups. A provider of a company signs in only addresses of its verified domains. Whatever is wrong, the answer is the same 401.',
  open: true,
  body: SsoBody,
  // A token names the groups of a person and may have 16 KB of its own.
  maxBytes: 2 * maxOpenBodyBytes,
  answer: LoginAnswer,
  shape: 'login',
  example: { body: { token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIzIn0.c2lnbmF0dXJl' }, answer: login },
})

export const redirectToProvider = defineRoute({
  method: 'GET',
  path: '/api/auth/{provider}/redirect',
  operationId: 'redirectToProvider',
  tag,
  summary: 'Sign in with Google, Microsoft or the identity provider of the company',
  description:
    'Open this address in the browser: it redirects to the provider, which leads back to the callback. The provider is set up with the settings `OAUTH_*`, `sso` with `SSO_ISSUER`, `SSO_AUDIENCE` and `SSO_CLIENT_SECRET`, and the callback address is registered there. A web app adds `redirect`. 422 when the company has not set the provider up.',
  open: true,
  params: OauthParams,
  query: OauthRedirectQuery,
  answer: z.undefined(),
  status: 302,
  example: { params: { provider: 'google' }, query: { tenant: 'acme', redirect: '/requests' } },
})

export const returnFromProvider = defineRoute({
  method: 'GET',
  path: '/api/auth/{provider}/callback',
  operationId: 'completeProviderLogin',
  tag,
  summary: 'Return from the provider',
  description:
    'The provider leads the browser here. The account is found by its address, which the provider must have verified (`sso`: must not deny); an unknown address gets a new account with the default role. Answers the login result. When the sign-in began with `redirect` and the deployment has a web app (`APP_URL`), the browser goes on to that path with `?code=`, which works once within 60 seconds at `POST /api/auth/exchange`, or with `?error=`.',
  open: true,
  params: OauthParams,
  query: OauthCallbackQuery,
  answer: LoginAnswer,
  shape: 'login',
  mayRedirect: true,
  example: { params: { provider: 'google' }, query: { state: 'N2Fj', code: '4/0AX' }, answer: login },
})

export const exchangeCode = defineRoute({
  method: 'POST',
  path: '/api/auth/exchange',
  operationId: 'exchangeLoginCode',
  tag,
  summary: 'Exchange the code of a sign-in',
  description:
    'A web app sends the `code` with which the callback redirected to it. The code works once, within 60 seconds.',
  open: true,
  alsoFails: [429],
  body: ExchangeBody,
  answer: LoginAnswer,
  shape: 'login',
  example: { body: { code: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA' }, answer: login },
})

export const routes: readonly Route[] = [logInSso, redirectToProvider, returnFromProvider, exchangeCode]
