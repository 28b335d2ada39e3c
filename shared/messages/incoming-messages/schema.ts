import * as z from 'zod'
import { maxAddressCharacters } from '../../kernel/limits/accounts.ts'
import {
  maxIncomingCharacters,
  maxMessageFiles,
  maxMessageSubjectCharacters,
  maxSenderIdCharacters,
  maxSenderNameCharacters,
} from '../../kernel/limits/incoming.ts'
import { rowListQuery } from '../../platform/http/paging/page-query.ts'
import { FileToAttach } from '../../tables/files/schema.ts'
import { incomingChannels } from './message.ts'

const Moment = z.string().meta({ format: 'date-time' })
const RecordRef = z.object({ model: z.string(), id: z.int() })

const AttachmentAnswer = z.object({
  name: z.string(),
  content_type: z.string(),
  size: z.int(),
  path: z.string().nullable().meta({
    description: 'For a field of type file, or `GET /api/files?path=`. Null when the content could not be kept.',
  }),
  problem: z.string().optional(),
  content_id: z.string().optional().meta({ description: 'How the HTML of a mail refers to it.' }),
})

export const MessageAnswer = z.object({
  id: z.int(),
  channel: z.enum(incomingChannels),
  channel_id: z.int().nullable().meta({
    description:
      'Of the messenger: its channel, 0 for the bot of the settings. Of `api`: the inbound source, if it came through one.',
  }),
  mailbox_id: z.int().nullable().meta({
    description: 'Of a mail: the mailbox that it arrived at first, 0 for the one of the settings.',
  }),
  from_name: z.string().nullable(),
  from_email: z.string().nullable(),
  from_id: z.string().nullable().meta({ description: 'The sender in the channel; of the messenger the chat id.' }),
  subject: z.string().nullable(),
  body: z.string().meta({ description: 'All of the text.' }),
  body_new: z.string().optional().meta({
    description: 'Of a mail: what is new in it, without the mails that it quotes. `body` is all of it.',
  }),
  is_internal: z.literal(true).optional().meta({
    description: 'It answers a notice of an internal comment, or a forward: it is for the team alone.',
  }),
  payload: z.record(z.string(), z.unknown()).meta({ description: 'The whole message as its channel has it.' }),
  attachments: z.array(AttachmentAnswer),
  is_processed: z.boolean().meta({
    description:
      'A rule made or changed a record, or ended by `return`; or somebody made a record of it, or set it aside.',
  }),
  is_waiting: z.boolean().meta({ description: 'The automatic rules have not run yet.' }),
  records: z.array(RecordRef.extend({ action_id: z.int() })).meta({
    description:
      'What rules made of it or added it to, as far as you may read it. `action_id` is 0 where a person made it, and minus the id of the mailbox where that did (`table` of the mailbox).',
  }),
  reply_to: RecordRef.nullable().meta({ description: 'The record that it replies to, if you may read it.' }),
  errors: z
    .array(
      z.object({
        action_id: z.int(),
        action: z.string(),
        message: z.string(),
        line: z.int().nullable(),
        column: z.int().nullable(),
        at: Moment,
      }),
    )
    .meta({ description: 'The rules that failed, and where in their scripts.' }),
  received_at: Moment,
})
export type MessageAnswer = z.output<typeof MessageAnswer>

const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((text) => text === 'true' || text === '1')
  .optional()

export const MessageQuery = rowListQuery('`from_name`, `from_email`, `from_id` and `subject`').extend({
  channel: z.enum(incomingChannels).optional(),
  is_processed: flag.meta({
    type: 'boolean',
    description: 'Only messages that a rule dealt with, or only the others.',
  }),
})
export type MessageQuery = z.output<typeof MessageQuery>

/** 25 MB of mail would not fit into a request; other texts are bounded like one. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'Control characters are not allowed here.' })

export const MessageInput = z.strictObject({
  channel: z.literal('api').optional(),
  from_name: line(maxSenderNameCharacters).nullish(),
  from_email: z.email().max(maxAddressCharacters).nullish(),
  from_id: z
    .union([line(maxSenderIdCharacters), z.int().transform(String)], {
      error: 'The from_id must be a string or an integer.',
    })
    .nullish(),
  subject: line(maxMessageSubjectCharacters).nullish(),
  body: z.string().max(maxIncomingCharacters).default(''),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'What rules may map besides. The request itself when left out.' }),
  attachments: z
    .array(FileToAttach)
    .max(maxMessageFiles)
    .optional()
    .meta({ description: 'Paths of uploaded files (`POST /api/files`); attachments as they were answered will do.' }),
})
export type MessageInput = z.output<typeof MessageInput>
