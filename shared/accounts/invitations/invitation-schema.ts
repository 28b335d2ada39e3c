import * as z from 'zod'
import {
  EmailAddress,
  Id,
  isConfirmed,
  Name,
  NewPassword,
  notOwnName,
  ownName,
  Password,
  requiredConfirmation,
  RoleNames,
  TenantHead,
} from '../account-fields.ts'

const Time = z.string().meta({ format: 'date-time' })

export const InviteBody = z.strictObject({
  email: EmailAddress,
  roles: RoleNames.min(1).meta({ description: 'Names of roles that the person gets.' }),
})

export const IssuedInvitationAnswer = z.object({
  id: Id,
  email: z.string(),
  roles: z.array(z.string()),
  token: z.string().meta({ description: 'The secret of the invitation, shown in this answer only.' }),
  url: z.string().meta({ description: 'The link to hand to the invited person.' }),
  expires_at: Time,
})

const invitedBy = z
  .string()
  .nullable()
  .meta({ description: 'Name of the administrator; null when an operator sent the invitation.' })

export const PendingInvitation = z.object({
  id: Id,
  email: z.string(),
  roles: z.array(z.string()),
  invited_by: invitedBy,
  created_at: Time,
  expires_at: Time,
})

/** What the invited person may send. What a new account needs is `NewAccountBody`. */
export const JoinBody = z.strictObject({
  name: z.string().optional().meta({ description: 'Required for a new account; an existing one keeps its name.' }),
  password: Password.optional().meta({
    description: 'The password of the new account, or the current one of the account that the address already has.',
  }),
  password_confirmation: z.string().optional().meta({ description: 'Required for a new account.' }),
})

export const NewAccountBody = z
  .strictObject({ name: Name, password: NewPassword, password_confirmation: z.string() })
  .refine(isConfirmed, requiredConfirmation)
  .refine(notOwnName, ownName)

export const InvitationAnswer = z.object({
  email: z.string(),
  roles: z.array(z.string()),
  tenant: TenantHead,
  invited_by: invitedBy,
  has_account: z.boolean().meta({
    description: 'Whether the address already has an account, which accepts with its password or a token.',
  }),
})
