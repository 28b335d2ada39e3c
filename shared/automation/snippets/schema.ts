import * as z from 'zod'
import { maxCommentCharacters } from '../../kernel/limits/comments.ts'
import { maxChannelNameCharacters, maxSnippetRoles } from '../../kernel/limits/messages.ts'
import { maxNameCharacters } from '../../kernel/limits/requests.ts'
import { exampleTimes, readOnly, readOnlyNames, stamps } from '../../platform/configured-objects/schema.ts'
import { signedIn } from '../../platform/http/routing/define-route.ts'
import { objectRoutes } from '../../platform/http/routing/object-routes.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxChannelNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })

const members = {
  body: z
    .string()
    .max(maxCommentCharacters)
    .refine((text) => text.trim() !== '', { error: 'The body may not be empty.' })
    .meta({
      description:
        'Plain text. `{{record.title}}` is a field of the record, `{{record.client_id.name}}` one of what it names; `{{requester.name}}` and `{{requester.email}}` are whoever gets the answer, `{{me.name}}` and `{{me.email}}` whoever writes it, `{{url}}` the address of the record.',
    }),
  model: z.string().max(maxNameCharacters).nullish().meta({
    description: 'Name of the table whose records it is for; null: of all tables.',
  }),
  roles: z.array(z.string()).max(maxSnippetRoles).nullish().meta({
    description: 'For people with one of these roles; null: for everybody who works on records.',
  }),
}

export const SnippetInput = z.strictObject({ ...readOnly, problem: z.string().nullish(), name: Name, ...members })
export type SnippetInput = z.output<typeof SnippetInput>
export const SnippetChange = SnippetInput.partial()

export const SnippetDocument = SnippetInput.omit({ ...readOnlyNames, problem: true })
export type SnippetDocument = z.output<typeof SnippetDocument>

export const SnippetAnswer = z.object({
  id: z.int(),
  name: z.string(),
  body: z.string(),
  model: z.string().nullable(),
  roles: z.array(z.string()).nullable(),
  problem: z.string().nullable().meta({ description: 'What it names and is no more: for example a removed field.' }),
  ...stamps,
})
export type SnippetAnswer = z.output<typeof SnippetAnswer>

const thanks = {
  name: 'Ask for a picture',
  body: 'Hello {{requester.name}},\n\ncould you send us a picture of it?\n\n{{me.name}}',
  model: 'requests',
}
const restart = { name: 'Restart it', body: 'Please switch it off, wait a minute and switch it on again.' }
const answer = { ...thanks, id: 1, roles: null, problem: null, ...exampleTimes, version: 1 }

/** Everybody sees the snippets that they may insert; administrators make them. */
export const snippetRoutes = objectRoutes({
  path: '/api/sys/snippets',
  tag: 'Snippets',
  called: { one: 'snippet', many: 'snippets' },
  answer: SnippetAnswer,
  input: SnippetInput,
  change: SnippetChange,
  readPermission: signedIn,
  says: {
    create: {
      summary: 'Create a snippet',
      description:
        'A text that people insert into what they write about a record: in the app they type `::` and a part of its name. A placeholder that names nothing is refused. Everybody who may change records of its table, or write internal comments there, sees it, unless it is for other roles. A taken name is 409.',
    },
    change: {
      description:
        'Members that are left out stay; null clears `model` or `roles`. `version`, when given, must be the current one (412).',
    },
    remove: { description: 'What was written with it stays.' },
  },
  examples: {
    create: { body: restart, answer: { ...answer, ...restart, model: null, id: 2 } },
    stored: answer,
    change: { roles: null },
  },
})
