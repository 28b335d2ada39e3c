import * as z from 'zod'
import {
  ConfirmMfaBody,
  LoginAnswer,
  LoginMfaBody,
  MfaSetUpAnswer,
  RemoveMfaBody,
  SetUpMfaBody,
} from '../../../shared/accounts/schema.ts'
import {
  delegatedTokens,
  defineRoute,
  signedIn,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'

const tag = 'Accounts'
const refusedTo = delegatedTokens
const code = '492039'

export const logInMfa = defineRoute({
  method: 'POST',
  path: '/api/login-mfa',
  tag,
  summary: 'Sign in with the code of a second factor',
  description:
    'The second step of a sign-in that answered `mfa_required`. The token works once, for 5 minutes and for five codes; then start again with the password. A code that was used is refused.',
  open: true,
  alsoFails: [429],
  body: LoginMfaBody,
  answer: LoginAnswer,
  shape: 'login',
  example: {
    body: { mfa_token: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA', code },
    answer: {
      token: '8471123004|3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs',
      user: { id: 3, name: 'Ada Lovelace', email: 'ada@example.com', roles: ['agent'] },
      tenant: { slug: 'acme', name: 'Acme Ltd' },
    },
  },
})

export const setUpMfa = defineRoute({
  method: 'POST',
  path: '/api/user/mfa',
  operationId: 'setUpMfa',
  tag,
  summary: 'Set up a second factor',
  description:
    'Answers a secret for an authenticator app (TOTP) and ten recovery codes, which are not shown again. Nothing changes until `POST /api/user/mfa/confirm`; asking again replaces what was not confirmed. A wrong password is 422. It counts for all your companies.',
  permission: signedIn,
  refusedTo,
  allowedWithoutMfa: true,
  body: SetUpMfaBody,
  answer: MfaSetUpAnswer,
  alsoFails: [409],
  example: {
    body: { password: 'brass gears 1843' },
    answer: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauth_url:
        'otpauth://totp/Acme%20Ltd:ada%40example.com?issuer=Acme%20Ltd&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      recovery_codes: ['k7mq-3fzt-9xwb-e5hd'],
    },
  },
})

export const confirmMfa = defineRoute({
  method: 'POST',
  path: '/api/user/mfa/confirm',
  operationId: 'confirmMfa',
  tag,
  summary: 'Confirm the second factor',
  description:
    'Takes a code of the app, which proves that it has the secret. From then on every sign-in with your password asks for a code. A wrong code is 422; 409 when there is nothing to confirm.',
  permission: signedIn,
  refusedTo,
  allowedWithoutMfa: true,
  body: ConfirmMfaBody,
  answer: z.null(),
  alsoFails: [409],
  example: { body: { code }, answer: null },
})

export const removeMfa = defineRoute({
  method: 'DELETE',
  path: '/api/user/mfa',
  operationId: 'removeMfa',
  tag,
  summary: 'Remove your second factor',
  description: 'A wrong code is 422. 409 when you have none. Without app and recovery codes, ask an administrator.',
  permission: signedIn,
  refusedTo,
  body: RemoveMfaBody,
  ...noContent,
  alsoFails: [409],
  example: { body: { code } },
})

export const mfaRoutes: readonly Route[] = [logInMfa, setUpMfa, confirmMfa, removeMfa]
