import * as z from 'zod'
import {
  CurrentUser,
  LoginAnswer,
  LoginBody,
  MfaChallengeAnswer,
  OwnAccountBody,
  RegisterBody,
} from '../../../shared/accounts/schema.ts'
import {
  delegatedTokens,
  defineRoute,
  signedIn,
  type Route,
} from '../../../shared/platform/http/routing/define-route.ts'
import { ada, login, password, tenant } from './examples.ts'

const tag = 'Accounts'

const currentUser = {
  ...ada,
  permissions: ['clients.*', 'requests.*', 'sys_companies.read'],
  tenant,
  tenants: [tenant],
  org_units: [],
  company_id: null,
  messenger_linked: false,
  locale: 'en',
  mfa_enabled: false,
  mfa_setup_required: false,
  verification_required: false,
}

export const logInLocal = defineRoute({
  method: 'POST',
  path: '/api/login-local',
  tag,
  summary: 'Sign in with e-mail and password',
  description:
    'The answer holds token, user and tenant at the top level and again in `data`. A token expires 30 days after the login, or after 7 days without use. After 5 failures on an account within 15 minutes from one network address, further attempts answer 429. `Retry-After` says how long to wait; it grows with each failure. After failures on 30 accounts from one network address within 15 minutes, or 200 within a day, that address waits too. A person of several companies enters the one in `tenant`, or else the one last used. With a second factor, the answer holds `mfa_required: true` and `mfa_token` in place of the token: go on with `POST /api/login-mfa`.',
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
  allowedWithoutMfa: true,
  allowedWithoutVerification: true,
  answer: z.null(),
  example: { answer: null },
})

export const readCurrentUser = defineRoute({
  method: 'GET',
  path: '/api/user',
  operationId: 'getCurrentUser',
  tag,
  summary: 'Read the current user',
  description:
    'Answers the caller with roles and permissions. `tenants` lists the companies that this session may switch to, and the current one.',
  permission: signedIn,
  allowedWithoutMfa: true,
  allowedWithoutVerification: true,
  answer: CurrentUser,
  example: { answer: currentUser },
})

export const changeCurrentUser = defineRoute({
  method: 'PUT',
  path: '/api/user',
  operationId: 'updateCurrentUser',
  tag,
  summary: 'Change your own account',
  description:
    'To set a new password, send `current_password` too. It revokes all your tokens, including the one in use, so sign in again. Name and locale are the same in all your companies.',
  permission: signedIn,
  allowedWithoutVerification: true,
  refusedTo: delegatedTokens,
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
    'In SaaS mode this creates a company (`company_name`, `slug`) with you as its administrator. In single mode it creates an account with the default role. 403 when registration is closed, 429 after 60 registrations from one network address within 15 minutes. Where the deployment can send mail, a new company works once its administrator has opened the mailed link; until then its calls answer 403 `email_unverified`.',
  open: true,
  body: RegisterBody,
  answer: LoginAnswer,
  shape: 'login',
  status: 201,
  example: {
    body: {
      name: 'Barbara Liskov',
      email: 'barbara@example.com',
      password,
      password_confirmation: password,
    },
    answer: { ...login, user: { id: 4, name: 'Barbara Liskov', email: 'barbara@example.com', roles: ['user'] } },
  },
})

export const accountRoutes: readonly Route[] = [logInLocal, logOut, readCurrentUser, changeCurrentUser, registerAccount]
