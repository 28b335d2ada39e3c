import * as z from 'zod'
import { maxOrganisationCharacters } from '../../kernel/limits/accounts.ts'
import { Id, TenantHead } from '../account-fields.ts'

const Time = z.string().meta({ format: 'date-time' })

export const SwitchBody = z.strictObject({
  tenant: z.string().min(1).max(maxOrganisationCharacters).meta({ description: 'Slug of the company to enter.' }),
})

export const SessionAnswer = z.object({
  id: Id.meta({ description: 'The part of the token before the bar.' }),
  created_at: Time,
  last_used_at: Time.meta({ description: 'Noted at most once an hour.' }),
  user_agent: z.string().nullable().meta({ description: 'What the client called itself at the sign-in.' }),
  tenant: TenantHead,
  is_current: z.boolean().meta({ description: 'Whether this is the session that asks.' }),
})
