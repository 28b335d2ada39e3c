import * as z from 'zod'

const ReplyWay = z.object({
  to: z.string().nullable().meta({
    description: 'The address; null of a chat, and for whoever may not see whom messages go to.',
  }),
  name: z.string().nullable(),
})

const TemplateHead = z.object({ id: z.int(), name: z.string(), code: z.string() })

export const ReplyOptions = z.object({
  email: ReplyWay.nullable().meta({ description: 'Whom a reply by mail reaches; null: nobody.' }),
  messenger: ReplyWay.nullable().meta({ description: 'Whom a reply by messenger reaches; null: nobody.' }),
  default: z
    .enum(['email', 'none'])
    .meta({ description: 'What becomes of a public comment that does not say `send`.' }),
  templates: z.array(TemplateHead).meta({
    description: 'The notification templates that are texts for replies: their code begins with `reply`. By name.',
  }),
})
export type ReplyOptions = z.output<typeof ReplyOptions>

export const FilledTemplate = TemplateHead.extend({
  subject: z.string(),
  text: z.string().meta({ description: 'The text with its values, as plain text.' }),
  missing: z.array(z.string()).meta({ description: 'Placeholders without a value; they are empty in the text.' }),
})
export type FilledTemplate = z.output<typeof FilledTemplate>
