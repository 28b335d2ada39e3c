import * as z from 'zod'
import {
  BrowserSessionAnswer,
  BrowserSessionBody,
  ImpersonationAnswer,
  LoginAnswer,
  MfaChallengeAnswer,
  SessionAnswer,
  SignInOptions,
  SignInOptionsQuery,
  SwitchBody,
} from '../../../shared/accounts/schema.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  delegatedTokens,
  tenantBoundTokens,
  defineRoute,
  signedIn,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'
import { ada, login, password, tenant } from './examples.ts'

const tag = 'Accounts'

const session = {
  id: 8471123004,
  created_at: '2026-11-20T07:17:00.000Z',
  last_used_at: '2026-11-22T15:02:00.000Z',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0',
  tenant,
  is_current: true,
}

export const readSignInOptions = defineRoute({
  method: 'GET',
  path: '/api/session',
  operationId: 'getSignInOptions',
  tag,
  summary: 'See how to sign in',
  description:
    'The providers at which people of the company may sign in, and whether anybody may register. `tenant` is its slug; in single mode the only company when left out. A company that does not exist has no providers.',
  open: true,
  query: SignInOptionsQuery,
  answer: SignInOptions,
  example: { answer: { providers: ['google'], registration: 'closed' } },
})

export const beginBrowserSession = defineRoute({
  method: 'POST',
  path: '/api/session',
  operationId: 'beginBrowserSession',
  tag,
  summary: 'Sign a browser in',
  description:
    'Takes the body of `POST /api/login-local`, or the `token` that another sign-in answered (`login-mfa`, `login-sso`, `auth/exchange`, `join`, `register`, `user/switch`, `impersonate`), and sets the cookie `__Host-session`, which no script can read; without https its name is `session`. The answer is that of the sign-in without `token`; with a second factor it holds `mfa_required` and `mfa_token`, and sets no cookie. The cookie takes the place of a bearer token in requests with the header `X-Requested-By: app`. The session that the cookie held before ends, unless it is the one of an administrator who now acts as somebody else. Refused to pages of other origins (`Origin`, `Sec-Fetch-Site`: 403), and without `Content-Type: application/json` (415).',
  open: true,
  ownPagesOnly: true,
  body: BrowserSessionBody,
  answer: z.union([BrowserSessionAnswer, MfaChallengeAnswer]),
  shape: 'login',
  alsoFails: [401, 403, 429],
  example: { body: { email: ada.email, password }, answer: { user: ada, tenant } },
})

export const endBrowserSession = defineRoute({
  method: 'DELETE',
  path: '/api/session',
  operationId: 'endBrowserSession',
  tag,
  summary: 'Sign a browser out',
  description:
    'Revokes the token of the cookie and removes the cookie. Of an administrator who acts as somebody else it ends only that: the cookie holds the own session again. A session that has expired is removed as well. Refused to pages of other origins (403).',
  open: true,
  ownPagesOnly: true,
  alsoFails: [401, 403],
  ...noContent,
  example: {},
})

export const switchTenant = defineRoute({
  method: 'POST',
  path: '/api/user/switch',
  operationId: 'switchTenant',
  tag,
  summary: 'Switch to another of your companies',
  description:
    'Answers a token for the company, which the next sign-in without `tenant` enters too. The token in use stays valid. `GET /api/user` lists your companies. A session that you got from the identity provider of one company stays in that company (403).',
  permission: signedIn,
  allowedWithoutVerification: true,
  refusedTo: tenantBoundTokens,
  body: SwitchBody,
  answer: LoginAnswer,
  shape: 'login',
  example: {
    body: { tenant: 'demo' },
    answer: login,
  },
})

export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/user/sessions',
  operationId: 'listSessions',
  tag,
  summary: 'List your sessions',
  description: 'Where you are signed in, in all your companies; the session used last comes first.',
  permission: signedIn,
  allowedWithoutVerification: true,
  refusedTo: delegatedTokens,
  query: listQuery(SessionAnswer),
  answer: SessionAnswer,
  shape: 'page',
  example: { answer: [session] },
})

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/user/sessions/{id}',
  operationId: 'endSession',
  tag,
  summary: 'End one of your sessions',
  description: 'Its token is revoked at once. 404 when you have no such session.',
  permission: signedIn,
  allowedWithoutVerification: true,
  refusedTo: delegatedTokens,
  params: z.object({ id: IdParam }),
  ...noContent,
  example: { params: { id: session.id } },
})

export const endOtherSessions = defineRoute({
  method: 'DELETE',
  path: '/api/user/sessions',
  operationId: 'endOtherSessions',
  tag,
  summary: 'End all your other sessions',
  description: 'Revokes all your tokens, in all your companies, except the one in use.',
  permission: signedIn,
  allowedWithoutVerification: true,
  refusedTo: delegatedTokens,
  ...noContent,
  example: {},
})

export const impersonate = defineRoute({
  method: 'POST',
  path: '/api/impersonate/{user_id}',
  operationId: 'impersonateUser',
  tag,
  summary: 'Act as another user',
  description:
    'Answers a token that acts as the user for one hour, with the rights of that user. History, trail and logs name both of you. You cannot act as another administrator, as a disabled user, as somebody of another company, or as somebody else while you already act as somebody (403). With this token you cannot change the account, its sessions or its second factor, nor switch to another company (403). `POST /api/logout` ends it.',
  permission: administrator,
  refusedTo: delegatedTokens,
  params: z.object({ user_id: IdParam }),
  answer: ImpersonationAnswer,
  shape: 'login',
  example: {
    params: { user_id: 2 },
    answer: { ...login, impersonator: { id: 1, name: 'Administrator' } },
  },
})

export const sessionRoutes: readonly Route[] = [
  readSignInOptions,
  beginBrowserSession,
  endBrowserSession,
  switchTenant,
  listSessions,
  endSession,
  endOtherSessions,
  impersonate,
]
