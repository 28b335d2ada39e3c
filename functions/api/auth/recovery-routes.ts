import * as z from 'zod'
import { ForgotPasswordBody, ResetPasswordBody, VerifyEmailBody } from '../../../shared/accounts/schema.ts'
import {
  delegatedTokens,
  defineRoute,
  signedIn,
  type Route,
} from '../../../shared/platform/http/routing/define-route.ts'

const tag = 'Accounts'
const token = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA'
const password = 'brass gears 1843'

export const forgotPassword = defineRoute({
  method: 'POST',
  path: '/api/password/forgot',
  operationId: 'requestPasswordReset',
  tag,
  summary: 'Ask for a new password',
  description:
    'Mails a link to the address if it has an account with a password. The answer is the same for every address, so it tells nobody who has an account; also when the address got several such mails in the last minutes and no further one is sent.',
  open: true,
  body: ForgotPasswordBody,
  answer: z.null(),
  example: { body: { email: 'ada@example.com' }, answer: null },
})

export const resetPassword = defineRoute({
  method: 'POST',
  path: '/api/password/reset',
  tag,
  summary: 'Set a new password',
  description:
    'Takes the token of the mailed link, which works once and for one hour, and not after the password has changed (422 on `token`). All sessions of the account end; sign in with the new password.',
  open: true,
  alsoFails: [429],
  body: ResetPasswordBody,
  answer: z.null(),
  example: { body: { token, password, password_confirmation: password }, answer: null },
})

export const verifyEmail = defineRoute({
  method: 'POST',
  path: '/api/email/verify',
  tag,
  summary: 'Verify an e-mail address',
  description: 'Takes the token of the mailed link, which works once and for seven days (422 on `token`).',
  open: true,
  alsoFails: [429],
  body: VerifyEmailBody,
  answer: z.null(),
  example: { body: { token }, answer: null },
})

export const resendVerification = defineRoute({
  method: 'POST',
  path: '/api/email/verify/resend',
  operationId: 'resendEmailVerification',
  tag,
  summary: 'Mail the verification link again',
  description:
    'Mails a new link to your own address; earlier links stay valid. A verified address gets none. 429 after five requests in 15 minutes.',
  permission: signedIn,
  allowedWithoutVerification: true,
  refusedTo: delegatedTokens,
  alsoFails: [429],
  answer: z.null(),
  example: { answer: null },
})

export const recoveryRoutes: readonly Route[] = [forgotPassword, resetPassword, verifyEmail, resendVerification]
