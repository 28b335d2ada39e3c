import * as z from 'zod'
import {
  CurrentUser,
  InvitationAnswer,
  JoinBody,
  LoginAnswer,
  LoginBody,
  MfaChallengeAnswer,
  OwnAccountBody,
  RegisterBody,
} from '../../shared/auth/schema.ts'
import { defineRoute, signedIn, type Route } from '../../shared/http/routing/define-route.ts'
import { routes as externalRoutes } from './external-routes.ts'
import { mfaRoutes } from './mfa-routes.ts'
import { recoveryRoutes } from './recovery-routes.ts'

const tag = 'Accounts'
const invitationParams = z.object({ token: z.string().max(200).meta({ description: 'The secret of the invitation.' }) })

const tenant = { slug: 'acme', name: 'Acme Ltd' }
const ada = { id: 3, name: 'Ada Lovelace', email: 'ada@example.com', roles: ['agent'] }
const password = 'brass gears 1843'
const login = { token: '8471123004|3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs', user: ada, tenant }
const currentUser = {
  ...ada,
  permissions: ['requests.create', 'requests.read', 'requests.update'],
  tenant,
  org_units: [4],
  company_id: null,
  messenger_linked: false,
  locale: 'en',
  mfa_enabled: false,
  mfa_setup_required: false,
}

export const logInLocal = defineRoute({
  method: 'POST',
  path: '/api/login-local',
  tag,
  summary: 'Sign in with e-mail and password',
  description:
    'The answer holds token, user and tenant at the top level and again in `data`. A token expires 30 days after the login, or after 7 days without use. After 5 failures on an account within 15 minutes from one network address, further attempts answer 429. `Retry-After` says how long to wait; it grows with each failure. A person of several companies enters the one in `tenant`, or else the one last used. With a second factor, the answer holds `mfa_required: true` and `mfa_token` in place of the token: go on with `POST /api/login-mfa`.',
  open: true,
  body: LoginBody,
  answer: z.union([LoginAnswer, MfaChallengeAnswer]),
  shape: 'login',
  example: { body: { email: ada.email, password }, answer: login },
})

export const logOut = defineRoute({
  method: 'POST',
  path: '/api/logout',
  tag,
  summary: 'Sign out',
  description: 'Revokes the token of this request. Other tokens of the user stay valid.',
  permission: signedIn,
  refusedTo: ['api_key'],
  beforeMfa: true,
  answer: z.null(),
  example: { answer: null },
})

export const readCurrentUser = defineRoute({
  method: 'GET',
  path: '/api/user',
  tag,
  summary: 'Read the current user',
  description: 'Answers the caller with roles and permissions.',
  permission: signedIn,
  beforeMfa: true,
  answer: CurrentUser,
  example: { answer: currentUser },
})

export const changeCurrentUser = defineRoute({
  method: 'PUT',
  path: '/api/user',
  tag,
  summary: 'Change your own account',
  description:
    'To set a new password, send `current_password` too. It revokes all your tokens, including the one in use, so sign in again.',
  permission: signedIn,
  refusedTo: ['api_key'],
  body: OwnAccountBody,
  answer: CurrentUser,
  example: { body: { name: 'Ada King', locale: 'en' }, answer: { ...currentUser, name: 'Ada King' } },
})

export const registerAccount = defineRoute({
  method: 'POST',
  path: '/api/register',
  tag,
  summary: 'Register',
  description:
    'In SaaS mode this creates a company (`company_name`, `slug`) with you as its administrator. In single mode it creates an account with the default role. 403 when registration is closed.',
  open: true,
  body: RegisterBody,
  answer: LoginAnswer,
  shape: 'login',
  status: 201,
  example: {
    body: {
      name: ada.name,
      email: ada.email,
      password,
      password_confirmation: password,
      company_name: tenant.name,
      slug: tenant.slug,
    },
    answer: { ...login, user: { ...ada, id: 1, roles: ['admin'] } },
  },
})

export const readInvitation = defineRoute({
  method: 'GET',
  path: '/api/join/{token}',
  tag,
  summary: 'Read an invitation',
  description:
    'Answers what the invited person needs to know before accepting. 404 when the invitation is unknown, was accepted, or is older than 7 days.',
  open: true,
  params: invitationParams,
  answer: InvitationAnswer,
  example: {
    params: { token: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA' },
    answer: { email: ada.email, roles: ['agent'], tenant, invited_by: 'Charles Babbage' },
  },
})

export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/api/join/{token}',
  tag,
  summary: 'Accept an invitation',
  description:
    'Creates the account and signs it in. If the address already has an account, that account gets the new name and password and the additional roles. An invitation can be accepted once.',
  open: true,
  params: invitationParams,
  body: JoinBody,
  answer: LoginAnswer,
  shape: 'login',
  status: 201,
  example: {
    params: { token: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA' },
    body: { name: ada.name, password, password_confirmation: password },
    answer: login,
  },
})

export const routes: readonly Route[] = [
  logInLocal,
  logOut,
  readCurrentUser,
  changeCurrentUser,
  registerAccount,
  readInvitation,
  acceptInvitation,
  ...externalRoutes,
  ...recoveryRoutes,
  ...mfaRoutes,
]
