import * as z from 'zod'
import {
  maxMappingCharacters,
  maxReopenDays,
  maxReopenedStates,
  maxMappingTextCharacters,
  maxRuleMailboxes,
} from '../../kernel/limits/incoming.ts'
import { maxEventNameCharacters } from '../../kernel/limits/processes.ts'
import { maxNameCharacters } from '../../kernel/limits/requests.ts'
import { readOnly, stamps } from '../../platform/configured-objects/schema.ts'

export const ruleChannels = ['messenger', 'email', 'api', 'all'] as const
export type RuleChannel = (typeof ruleChannels)[number]
export const replyModes = ['create', 'update', 'comment', 'none'] as const
export type ReplyMode = (typeof replyModes)[number]

const oneLine = (maximum: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximum)
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'It may not hold control characters.' })
const Color = z
  .string()
  .trim()
  .max(maxMappingTextCharacters)
  .regex(/^(#[0-9a-fA-F]{3,8}|[a-zA-Z][a-zA-Z0-9-]*)$/, {
    error: 'Use a colour such as #1677ff, or a name such as primary.',
  })
const Condition = z.record(z.string(), z.unknown())
const source = z.string().min(1).max(maxMappingCharacters)

/** What a rule tells a process. */
const ProcessMessage = z.strictObject({
  name: oneLine(maxEventNameCharacters).meta({ description: 'The name that the process waits for.' }),
  correlation_key: source.optional().meta({
    description:
      'Which instance is meant: a path into the message (`payload.order`), a literal after `=`, or a field of the record (`record.order_no`). The id of the record when left out.',
  }),
  variables: z.record(z.string(), source).optional().meta({
    description:
      'Variables of the process, by name, from where the key may come from as well. One without a value is left out.',
  }),
  is_instead_of_record: z.boolean().optional().meta({
    description: 'True: that is all the rule does; it makes and changes no record. Only for automatic rules.',
  }),
})
export type ProcessMessage = z.output<typeof ProcessMessage>

const Reopen = z.strictObject({
  state: z.string().max(maxNameCharacters).meta({ description: 'The state to which the record goes back.' }),
  from: z.array(z.string().max(maxNameCharacters)).max(maxReopenedStates).optional().meta({
    description: 'States from which an answer reopens, too, though they are not final: `resolved`, say.',
  }),
  within_days: z.int().min(1).max(maxReopenDays).optional().meta({
    description:
      'For so many days after the last change of the record; later an answer makes a record of its own. Without it there is no end.',
  }),
})
export type Reopen = z.output<typeof Reopen>

/** What a rule does with which messages: the same in requests and in the configuration document. */
const members = {
  name: oneLine(100),
  channel: z.enum(ruleChannels).meta({ description: 'Which messages it is for; `all`: those of every channel.' }),
  mailbox_ids: z.array(z.int().min(0)).min(1).max(maxRuleMailboxes).nullish().meta({
    description:
      'Only mails that arrived at one of these mailboxes (`/api/sys/mailboxes`; 0 is the one of the settings). All mails, and whatever else its channel has, when null.',
  }),
  is_automatic: z.boolean().optional().meta({
    description: 'True: runs for every matching message as soon as it is stored. False (default): a button.',
  }),
  target_model: z
    .string()
    .max(maxNameCharacters)
    .meta({ description: 'Name of the table in which it creates records.' }),
  field_mapping: z.record(z.string(), z.string().max(maxMappingCharacters)).optional().meta({
    description:
      'Field of the record to a path into the message (`subject`, `payload.message.from.id`, `attachments.0`), or to a literal after `=` (`=mail`). Values are converted to the type of the field.',
  }),
  script: z.string().nullish().meta({
    description:
      'Runs after the mapping with `$incoming`, `$data` (changeable), `$user` and `$api`. A top-level `return` ends the rule without a record.',
  }),
  process_message: ProcessMessage.nullish().meta({
    description:
      'Sends a message to processes once the rule has made, changed or commented on its record; once for each message, in the same transaction. Not after a `return` of the script. As those of `POST /api/sys/process-messages` it waits an hour for a receiver.',
  }),
  button_label: oneLine(100).nullish(),
  button_color: Color.nullish(),
  condition: Condition.nullish().meta({
    description: 'Only messages that match: the grammar of list filters, with paths into the message as fields.',
  }),
  on_reply: z.enum(replyModes).optional().meta({
    description:
      'What it does with a reply that was joined to a record of its table: `comment` (default) on the record, `update` it by mapping and script, `create` another one, or `none`.',
  }),
  reopen: Reopen.nullish().meta({
    description:
      "With `on_reply: comment`: the customer's answer to a record in a final state, or in one of `from`, reopens it.",
  }),
  position: z.int().min(-1_000_000).max(1_000_000).optional().meta({
    description: 'Automatic rules run in this order, then by id. 0 when left out.',
  }),
  is_active: z.boolean().optional().meta({ description: 'True when left out.' }),
  send_comments: z.boolean().optional().meta({
    description:
      'Public comments of users on a record that this rule made from a mail go to the sender of that mail. False when left out.',
  }),
}

export const IncomingActionAnswer = z.object({
  id: z.int(),
  name: z.string(),
  channel: z.enum(ruleChannels),
  mailbox_ids: z.array(z.int()).nullable(),
  is_automatic: z.boolean(),
  target_model: z.string(),
  field_mapping: z.record(z.string(), z.string()),
  script: z.string().nullable(),
  process_message: ProcessMessage.nullable(),
  button_label: z.string().nullable(),
  button_color: z.string().nullable(),
  condition: Condition.nullable(),
  on_reply: z.enum(replyModes),
  reopen: Reopen.nullable(),
  position: z.int(),
  is_active: z.boolean(),
  send_comments: z.boolean(),
  problem: z.string().nullable().meta({
    description: 'Why the rule fails: for example a table or field that was removed since it was saved.',
  }),
  ...stamps,
})
export type IncomingActionAnswer = z.output<typeof IncomingActionAnswer>

/** A button rule as those see it who may press it. */
const Button = IncomingActionAnswer.pick({
  id: true,
  name: true,
  channel: true,
  target_model: true,
  button_label: true,
  button_color: true,
})
/** Administrators read rules whole. */
export const ListedIncomingAction = z.union([IncomingActionAnswer, Button])
export type ListedIncomingAction = z.output<typeof ListedIncomingAction>

export const IncomingActionInput = z.strictObject({
  ...readOnly,
  problem: z.string().nullish(),
  ...members,
})
export type IncomingActionInput = z.output<typeof IncomingActionInput>

export const IncomingActionChange = IncomingActionInput.partial()
export type IncomingActionChange = z.output<typeof IncomingActionChange>

/** A rule in the configuration document. */
export const IncomingActionDocument = z.strictObject(members)
export type IncomingActionDocument = z.output<typeof IncomingActionDocument>

export const MakeRecordBody = z.strictObject({
  model: z.string().max(maxNameCharacters).meta({ description: 'The table of the record.' }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'Its fields.' }),
})
export type MakeRecordBody = z.output<typeof MakeRecordBody>

export const PrepareBody = z.strictObject({ message_id: z.int().min(1) })
export const ExecuteBody = PrepareBody.extend({
  data: z.record(z.string(), z.unknown()).optional().meta({
    description: 'Fields that override the prepared ones, within the fields that you may write.',
  }),
})
export type ExecuteBody = z.output<typeof ExecuteBody>

export const TargetModel = z.object({
  model_class: z.string().meta({ description: 'Name of the table.' }),
  label: z.string(),
  fields: z.array(z.object({ name: z.string(), type: z.string() })),
})
export type TargetModel = z.output<typeof TargetModel>
