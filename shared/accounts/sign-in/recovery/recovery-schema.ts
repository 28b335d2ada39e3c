import * as z from 'zod'
import { maxLinkTokenCharacters } from '../../../kernel/limits/accounts.ts'
import { EmailAddress, isConfirmed, NewPassword, requiredConfirmation } from '../../account-fields.ts'

const LinkToken = z
  .string()
  .max(maxLinkTokenCharacters)
  .meta({ description: 'The secret of the mailed link. It works once.' })

export const ForgotPasswordBody = z.strictObject({ email: EmailAddress })

export const ResetPasswordBody = z
  .strictObject({ token: LinkToken, password: NewPassword, password_confirmation: z.string() })
  .refine(isConfirmed, requiredConfirmation)

export const VerifyEmailBody = z.strictObject({ token: LinkToken })
