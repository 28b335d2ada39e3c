import * as z from 'zod'
import { maxCommentCharacters } from '../../kernel/limits/comments.ts'
import { maxChannelNameCharacters } from '../../kernel/limits/messages.ts'
import { exampleTimes, readOnly, readOnlyNames, stamps } from '../../platform/configured-objects/schema.ts'
import { signedIn } from '../../platform/http/routing/define-route.ts'
import { objectRoutes } from '../../platform/http/routing/object-routes.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxChannelNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })

const Comment = z.strictObject({
  body: z
    .string()
    .max(maxCommentCharacters)
    .refine((text) => text.trim() !== '', { error: 'The body may not be empty.' }),
  is_internal: z.boolean().optional().meta({ description: 'False when left out.' }),
  send: z.boolean().optional().meta({
    description: 'False: the comment is not sent to the customer whose message began the record. True when left out.',
  }),
})

const members = {
  model: z.string().meta({ description: 'Name of the table.' }),
  set: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ description: 'Fields and values; `$CURRENT_USER` in a field of a user is who runs it.' }),
  transition: z.string().nullish().meta({
    description: 'The state to move to. With several fields of states: `<field>.<state>`.',
  }),
  comment: Comment.nullish(),
  assign: z
    .union([z.literal('$CURRENT_USER'), z.int().min(1)])
    .nullish()
    .meta({
      description:
        'Whom the record is given to: the only field of a user that the table has, or `assignee_id`, `owner_id` or `agent_id`.',
    }),
  next: z
    .boolean()
    .optional()
    .meta({ description: 'The answer names the next record of the view (`meta.next`), for apps that open it.' }),
}

export const MacroInput = z.strictObject({ ...readOnly, problem: z.string().nullish(), name: Name, ...members })
export type MacroInput = z.output<typeof MacroInput>
export const MacroChange = MacroInput.partial()

export const MacroDocument = MacroInput.omit({ ...readOnlyNames, problem: true })
export type MacroDocument = z.output<typeof MacroDocument>

export const MacroAnswer = z.object({
  id: z.int(),
  name: z.string(),
  model: z.string(),
  set: z.record(z.string(), z.unknown()).nullable(),
  transition: z.string().nullable(),
  comment: Comment.nullable(),
  assign: z.union([z.literal('$CURRENT_USER'), z.int()]).nullable(),
  next: z.boolean(),
  problem: z.string().nullable().meta({ description: 'Why it cannot run: for example a field that was removed.' }),
  is_hidden: z.literal(true).optional().meta({
    description: 'It does more than is shown: to fields that field rules hide from the caller.',
  }),
  ...stamps,
})
export type MacroAnswer = z.output<typeof MacroAnswer>

const takeOver = {
  name: 'Take over',
  model: 'requests',
  set: { priority: 4 },
  comment: { body: 'I take care of this.', is_internal: true },
  next: true,
}
const escalate = { ...takeOver, name: 'Escalate', set: { priority: 5 } }
const answer = { ...takeOver, id: 1, transition: null, assign: null, problem: null, ...exampleTimes, version: 1 }

/** Everybody sees the macros that they may run; administrators make them. */
export const macroRoutes = objectRoutes({
  path: '/api/sys/macros',
  tag: 'Macros',
  called: { one: 'macro', many: 'macros' },
  answer: MacroAnswer,
  input: MacroInput,
  change: MacroChange,
  readPermission: signedIn,
  says: {
    create: {
      summary: 'Create a macro',
      description:
        'What people do to a record again and again, as one step: fields, a transition, whom it is given to, a comment. At least one of `set`, `transition`, `comment` and `assign`. Everybody sees those that they may run. A taken name is 409.',
    },
    change: {
      description:
        'Members that are left out stay; null clears `set`, `transition`, `comment` or `assign`. `version`, when given, must be the current one (412).',
    },
    remove: { description: 'A bulk change that runs it reports the records that it has not reached as failed.' },
  },
  examples: {
    create: { body: escalate, answer: { ...answer, ...escalate, id: 2 } },
    stored: answer,
    change: { next: false },
  },
})
