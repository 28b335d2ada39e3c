import * as z from 'zod'
import { maxPeopleSearchCharacters, maxPickedPeople } from '../../../kernel/limits/accounts.ts'
import { maxNameCharacters } from '../../../kernel/limits/requests.ts'
import { listQuery, PageQuery } from '../../../platform/http/paging/page-query.ts'
import { Id } from '../../account-fields.ts'

export const PickedPerson = z.object({
  id: Id,
  name: z.string(),
  email: z.string().optional().meta({ description: 'Only with the permission `users.read`.' }),
})

export const PeopleFilter = listQuery(PickedPerson).extend({
  // As many as may be picked.
  per_page: PageQuery.shape.per_page,
  search: z
    .string()
    .max(maxPeopleSearchCharacters)
    .optional()
    .meta({ description: 'A part of the name; with the permission `users.read` also of the e-mail address.' }),
  role: z.string().max(maxNameCharacters).optional().meta({ description: 'Only people with this role.' }),
  ids: z
    .string()
    .regex(/^\d{1,15}(?:,\d{1,15})*$/, { error: 'The ids must be integers, separated by commas.' })
    .transform((text) => text.split(',').map(Number))
    .refine((ids) => ids.length <= maxPickedPeople, { error: `The ids may not be more than ${maxPickedPeople}.` })
    .optional()
    .meta({ description: `Only these people: up to ${maxPickedPeople} ids, separated by commas.`, type: 'string' }),
})
