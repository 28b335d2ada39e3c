import * as z from 'zod'
import { parseDatetime } from '../../kernel/time/parse-date.ts'
import { Id, Name, RoleNames } from '../account-fields.ts'

const Time = z.string().meta({ format: 'date-time' })

export const NewApiKeyBody = z.strictObject({
  name: Name.meta({ description: 'Shown as the author of what the key writes.' }),
  roles: RoleNames.min(1).meta({ description: 'Names of roles, which decide what the key may do.' }),
  expires_at: z
    .string()
    .refine((text) => parseDatetime(text) !== undefined, 'The expires_at is not a valid date.')
    .transform((text) => Date.parse(parseDatetime(text) as string))
    .nullish()
    .meta({ description: 'When the key ends; it never does when left out.', type: 'string', format: 'date-time' }),
})

export const ApiKeyAnswer = z.object({
  id: Id.meta({ description: 'Also the id of the service user that the key acts as.' }),
  name: z.string(),
  roles: z.array(z.string()),
  is_active: z.boolean().meta({ description: 'false once the key has expired or its service user was disabled.' }),
  created_by: Id.meta({ description: 'The administrator who made the key.' }),
  created_at: Time,
  expires_at: Time.nullable(),
  last_used_at: Time.nullable().meta({ description: 'Noted at most once an hour.' }),
})

export const NewApiKeyAnswer = ApiKeyAnswer.extend({
  token: z.string().meta({
    description:
      'Shown in this answer only. Has the form `<number>|<secret>`; send it as `Authorization: Bearer <token>`.',
  }),
})
