import * as z from 'zod'
import { maxFieldNameCharacters } from '../../kernel/limits/lists.ts'
import {
  maxItemDescriptionCharacters,
  maxItemFields,
  maxItemNameCharacters,
  maxItemPosition,
  maxItemRoles,
} from '../../kernel/limits/portal.ts'
import { exampleTimes, readOnly, readOnlyNames, stamps } from '../../platform/configured-objects/schema.ts'
import { objectRoutes } from '../../platform/http/routing/object-routes.ts'

const line = (member: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxItemNameCharacters)
    .refine((text) => !/\p{Cc}/u.test(text), { error: `The ${member} may not hold control characters.` })
const FieldName = z.string().max(maxFieldNameCharacters)
const FieldNames = z.array(FieldName).max(maxItemFields)

const members = {
  description: z.string().max(maxItemDescriptionCharacters).nullish(),
  category: line('category').nullish().meta({ description: 'Items of one category stand together.' }),
  icon: line('icon').nullish().meta({ description: 'A name that the web app knows, such as `laptop`.' }),
  model: FieldName.meta({ description: 'Name of the table whose records the requests are.' }),
  fields: FieldNames.min(1).meta({ description: 'The fields that the form asks for, in this order.' }),
  defaults: z.record(FieldName, z.unknown()).nullish().meta({
    description:
      'Values of a new request. Those of `fields` stand in the form and may be changed there, the others are set by the service. `$CURRENT_USER` in a field of a user is who sends it.',
  }),
  roles: z.array(z.string()).max(maxItemRoles).nullish().meta({
    description: 'Who may send it. Left out, everybody who is signed in.',
  }),
  is_active: z
    .boolean()
    .optional()
    .meta({ description: 'False: nobody can send it; what was sent stays. True when left out.' }),
  position: z
    .int()
    .min(0)
    .max(maxItemPosition)
    .optional()
    .meta({ description: 'The order of the items; 0 when left out.' }),
  state_field: FieldName.nullish().meta({
    description: 'The field whose state requesters see. Left out, the only field of states of the table.',
  }),
  public_states: z.record(z.string(), line('state')).nullish().meta({
    description: 'What requesters read for a state: `{ "waiting_for_vendor": "In progress" }`. Left out, its label.',
  }),
  public_fields: FieldNames.nullish().meta({
    description:
      'What requesters see of the record. Left out, `fields`. The title is shown as well, unless this list leaves it out.',
  }),
  reopen_state: z.string().nullish().meta({
    description:
      'The state to which requesters may return a closed request, by a transition of the table. Left out, they may not.',
  }),
}

export const PortalItemInput = z.strictObject({
  ...readOnly,
  problem: z.string().nullish(),
  name: line('name'),
  ...members,
})
export type PortalItemInput = z.output<typeof PortalItemInput>
const PortalItemChange = PortalItemInput.partial()

export const PortalItemDocument = PortalItemInput.omit({ ...readOnlyNames, problem: true })
export type PortalItemDocument = z.output<typeof PortalItemDocument>

export const PortalItemAnswer = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  icon: z.string().nullable(),
  model: z.string(),
  fields: z.array(z.string()),
  defaults: z.record(z.string(), z.unknown()).nullable(),
  roles: z.array(z.string()).nullable(),
  is_active: z.boolean(),
  position: z.int(),
  state_field: z.string().nullable(),
  public_states: z.record(z.string(), z.string()).nullable(),
  public_fields: z.array(z.string()).nullable(),
  reopen_state: z.string().nullable(),
  problem: z.string().nullable().meta({ description: 'Why it cannot be sent: for example a field that was removed.' }),
  ...stamps,
})
export type PortalItemAnswer = z.output<typeof PortalItemAnswer>

const laptop = {
  name: 'A laptop',
  description: 'For new colleagues, or when yours is too old.',
  category: 'Hardware',
  icon: 'laptop',
  model: 'requests',
  fields: ['title', 'description'],
  defaults: { priority: 2 },
  public_states: { in_progress: 'We are on it', resolved: 'Solved' },
  reopen_state: 'in_progress',
  position: 1,
}
const printer = { ...laptop, name: 'Something is broken', icon: 'wrench', defaults: { priority: 4 } }
const answer = {
  ...laptop,
  id: 1,
  roles: null,
  is_active: true,
  state_field: null,
  public_fields: null,
  problem: null,
  ...exampleTimes,
  version: 1,
}

/** Administrators make the items of the portal; `GET /api/portal/items` answers what a caller may send. */
export const portalItemRoutes = objectRoutes({
  path: '/api/sys/portal/items',
  tag: 'Portal',
  called: { one: 'item of the portal', many: 'items of the portal' },
  answer: PortalItemAnswer,
  input: PortalItemInput,
  change: PortalItemChange,
  says: {
    list: { description: 'By `position`, then in the order in which they were made.' },
    create: {
      description:
        'What people may ask for in the portal: a form over some fields of a table, and what they see of it afterwards. Whoever may send it needs no permission on the table. Fields, defaults, states and roles are checked. A taken name is 409.',
    },
    change: {
      description:
        'Members that are left out stay; null clears. Requests that were sent show what the item says now. `version`, when given, must be the current one (412).',
    },
    remove: {
      description: 'What was sent stays, with its title and state; switch an item off to keep its fields shown.',
    },
  },
  examples: {
    create: { body: printer, answer: { ...answer, ...printer, id: 2 } },
    stored: answer,
    change: { position: 3 },
  },
})
