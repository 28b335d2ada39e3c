import * as z from 'zod'
import { maxLinkTokenCharacters, maxSecondFactorCodeCharacters } from '../../../kernel/limits/accounts.ts'
import { Password } from '../../account-fields.ts'

const Code = z.string().trim().min(1).max(maxSecondFactorCodeCharacters)
const AppCode = Code.meta({ description: 'Six digits, as the authenticator app shows them.' })
const AnyCode = Code.meta({ description: 'Six digits of the authenticator app, or a recovery code.' })

export const SetUpMfaBody = z.strictObject({ password: Password })
export const ConfirmMfaBody = z.strictObject({ code: AppCode })
export const RemoveMfaBody = z.strictObject({ code: AnyCode })

export const MfaSetUpAnswer = z.object({
  secret: z.string().meta({ description: 'In base32, for apps that cannot read the QR code.' }),
  otpauth_url: z.string().meta({ description: 'Show it as a QR code for the authenticator app.' }),
  recovery_codes: z
    .array(z.string())
    .meta({ description: 'Each is good once in place of a code of the app. Shown in this answer only.' }),
})

export const LoginMfaBody = z.strictObject({
  mfa_token: z.string().max(maxLinkTokenCharacters).meta({ description: 'From the answer of the sign-in.' }),
  code: AnyCode,
})

export const MfaChallengeAnswer = z.object({
  mfa_required: z.literal(true),
  mfa_token: z.string().meta({ description: 'Send it with a code to `POST /api/login-mfa` within 5 minutes.' }),
})
