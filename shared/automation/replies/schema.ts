import * as z from 'zod'

const ReplyWay = z.object({
  to: z.string().nullable().meta({
    description: 'The address; null of a chat, and for whoever may not see whom messages go to.',
  }),
  name: z.string().nullable(),
})

const Conversation = z.object({
  id: z.int().meta({
    description:
      'The id of the record that it is about: this one, or one that was merged into it; of a forward that of its comment, negative. A comment names it as its `conversation`.',
  }),
  kind: z.enum(['customer', 'forward']).meta({
    description: '`forward`: with somebody outside to whom messages were forwarded; a comment in it is internal.',
  }),
  to: z.string().nullable().meta({ description: 'Whom a reply by mail reaches; null for whoever may not see it.' }),
  name: z.string().nullable(),
  cc: z.array(z.string()).meta({
    description: 'The others whom the mail that is answered names, for copies: never an address of your own.',
  }),
  subject: z.string().nullable().meta({ description: 'Of the mail that is answered.' }),
  last_at: z.string().nullable().meta({
    format: 'date-time',
    description: 'When that mail arrived; null of a customer who wrote none.',
  }),
  is_default: z.boolean().meta({ description: 'Answered where a comment names no conversation.' }),
})

const TemplateHead = z.object({ id: z.int(), name: z.string(), code: z.string() })

export const ReplyOptions = z.object({
  email: ReplyWay.nullable().meta({ description: 'Whom a reply by mail reaches; null: nobody.' }),
  messenger: ReplyWay.nullable().meta({ description: 'Whom a reply by messenger reaches; null: nobody.' }),
  default: z
    .enum(['email', 'none'])
    .meta({ description: 'What becomes of a public comment that does not say `send`.' }),
  from: z.array(z.string()).meta({
    description:
      'The address that a reply by mail leaves from: the one of yours that the customer wrote to, else that of the mailbox at which the mail arrived, else that of the default mailbox or channel. Empty where none can be sent.',
  }),
  to: z.string().nullable().meta({
    description:
      'Whom a reply by mail reaches: the Reply-To, else the sender, of the latest mail of the customer whose conversation is answered by default.',
  }),
  cc: z.array(z.string()).meta({ description: 'The others whom that mail names, for copies.' }),
  conversations: z.array(Conversation).meta({
    description:
      'One a customer: after a merge there are several, of which a reply answers one. Then one a forward, for those who read internal comments.',
  }),
  files: z
    .object({
      limit_bytes: z.int().meta({ description: 'The bytes of all files together that a mail takes.' }),
      links_days: z.int().meta({ description: 'For how many days a link is valid.' }),
    })
    .meta({
      description:
        'How the files of a reply leave: inside the mail, up to `limit_bytes` together; more of them, and those of a chat, as links that whoever has them may open for `links_days`.',
    }),
  templates: z.array(TemplateHead).meta({
    description: 'The notification templates that are texts for replies: their code begins with `reply`. By name.',
  }),
})
export type ReplyOptions = z.output<typeof ReplyOptions>

export const FilledSnippet = z.object({
  id: z.int(),
  name: z.string(),
  text: z.string().meta({ description: 'The text with its values.' }),
  missing: z.array(z.string()).meta({ description: 'Placeholders without a value; they are empty in the text.' }),
})
export type FilledSnippet = z.output<typeof FilledSnippet>

export const FilledTemplate = TemplateHead.extend({
  subject: z.string(),
  text: z.string().meta({ description: 'The text with its values, as plain text.' }),
  missing: z.array(z.string()).meta({ description: 'Placeholders without a value; they are empty in the text.' }),
})
export type FilledTemplate = z.output<typeof FilledTemplate>
