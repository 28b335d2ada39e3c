import * as z from 'zod'
import {
  ExecuteBody,
  IncomingActionAnswer,
  IncomingActionChange,
  IncomingActionInput,
  ListedIncomingAction,
  PrepareBody,
  TargetModel,
} from '../../../shared/automation/incoming-actions/schema.ts'
import { MessageAnswer } from '../../../shared/messages/incoming-messages/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { listQuery, wholeListQuery } from '../../../shared/platform/http/paging/page-query.ts'
import { administrator, defineRoute, type Route, signedIn } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'
import { EntityRecord } from '../../../shared/records/records/schema.ts'
import { DryRun } from '../../../shared/scripts/schema.ts'

const tag = 'Incoming actions'
const oneRule = z.object({ id: idOf('rule') })
const requestFromMail = {
  name: 'Mail to request',
  channel: 'email' as const,
  mailbox_ids: null,
  is_automatic: true,
  target_model: 'requests',
  field_mapping: { title: 'subject', description: 'body', priority: '=4' },
  script:
    "$client = $api->find('clients', 'email', $incoming->from_email)\nif ($client) $data->client_id = $client->id",
  condition: { subject: { _istarts_with: 'support' } },
}
const answer = {
  ...requestFromMail,
  id: 3,
  process_message: null,
  button_label: null,
  button_color: null,
  on_reply: 'comment' as const,
  reopen: null,
  position: 0,
  is_active: true,
  send_comments: false,
  problem: null,
  ...exampleTimes,
  version: 1,
}
const demo = {
  ...answer,
  id: 1,
  name: 'Message to request',
  channel: 'all' as const,
  field_mapping: { title: 'subject', description: 'body', priority: 'payload.priority' },
  condition: null,
  reopen: { state: 'in_progress', from: ['resolved'], within_days: 14 },
  send_comments: true,
}
const record = {
  id: 4,
  tenant_id: 1,
  created_by: 1,
  updated_by: 1,
  created_at: '2026-11-20T07:17:00.000Z',
  updated_at: '2026-11-20T07:17:00.000Z',
  version: 1,
  data: {
    title: 'My monitor flickers',
    description: 'It began this morning.',
    priority: 2,
    status: 'new',
    client_id: 1,
  },
}

export const actionObjectRoutes = objectRoutes({
  path: '/api/sys/incoming-actions',
  tag,
  called: { one: 'rule for incoming messages', many: 'rules for incoming messages' },
  answer: IncomingActionAnswer,
  input: IncomingActionInput,
  change: IncomingActionChange,
  params: oneRule,
  readPermission: signedIn,
  says: {
    list: {
      description:
        'Newest first. Administrators see all rules whole; everybody else the active buttons for tables in which they may create records: `id`, `name`, `channel`, `target_model`, `button_label`, `button_color`.',
      query: listQuery(ListedIncomingAction),
      answer: ListedIncomingAction,
    },
    create: {
      description:
        'A rule turns messages into records of a table: the mapping takes values from the message, the script may change them, and the record is created; once per rule and message. Values are converted to the type of their field: numbers from texts, dates of mails, attachments for files, options by slug or label, users by address; texts that are too long are cut. A path without a value leaves its field out; a value that cannot be converted is an error of the field. A condition tests the message in the grammar of list filters; a message that a program sent (`payload.auto`) matches only a condition that names `payload.auto`. Rules act in the name of the sender where that is proved, else of the user who saved them last, and are not limited by permissions. At most 200 rules. A taken name is 409.',
    },
    get: { answer: ListedIncomingAction },
    change: {
      description:
        'Members that are left out stay; null clears `script`, `condition`, `button_label` or `button_color`. `version`, when given, must be the current one (412).',
    },
    remove: { description: 'The records that it made stay.' },
  },
  examples: { create: { body: requestFromMail, answer }, stored: demo, change: { is_active: false } },
})

export const listTargetModels = defineRoute({
  method: 'GET',
  path: '/api/sys/incoming-actions/models',
  operationId: 'listIncomingActionModels',
  tag,
  summary: 'List the tables that rules may fill',
  description:
    'The tables in which you may create records, with the fields that you may set; without `per_page` the whole list.',
  permission: signedIn,
  query: wholeListQuery(TargetModel),
  answer: TargetModel,
  shape: 'page',
  example: {
    answer: [{ model_class: 'requests', label: 'Requests', fields: [{ name: 'title', type: 'text' }] }],
  },
})

export const prepareIncomingAction = defineRoute({
  method: 'POST',
  path: '/api/sys/incoming-actions/{action_id}/prepare',
  operationId: 'prepareIncomingAction',
  tag,
  summary: 'Preview what a rule makes of a message',
  description:
    'Answers the prepared data of the record: mapping, then script. Nothing is created or sent. `meta.errors` names the fields that are wrong; `meta.script` says what the script would do, as a dry run does. Needs the rights that executing it needs; administrators may preview every rule, others the buttons that they see, with the fields that they may read, and without values in `meta.script`.',
  permission: signedIn,
  alsoFails: [403],
  params: z.object({ action_id: idOf('rule') }),
  body: PrepareBody,
  answer: z.object({
    success: z.literal(true),
    data: z.record(z.string(), z.unknown()).meta({ description: 'The fields of the record.' }),
    message: z.string(),
    meta: z.object({
      model: z.string(),
      errors: z.record(z.string(), z.array(z.string())),
      script: DryRun.nullable(),
      process_message: z
        .object({
          name: z.string(),
          correlation_key: z
            .string()
            .optional()
            .meta({ description: 'Left out when the record that it would make says it.' }),
          variables: z.record(z.string(), z.unknown()).optional(),
        })
        .optional()
        .meta({
          description: 'What it would tell processes, for rules that do. Others than administrators see its name.',
        }),
    }),
  }),
  shape: 'raw',
  example: {
    params: { action_id: 1 },
    body: { message_id: 1 },
    answer: {
      success: true,
      data: { title: 'My monitor flickers', description: 'It began this morning.', priority: 2 },
      message: 'OK',
      meta: {
        model: 'requests',
        errors: {},
        script: {
          status: 'ok',
          data: { title: 'My monitor flickers', description: 'It began this morning.', priority: 2, client_id: 1 },
          returned: false,
          log: [],
          error: null,
          sent: [],
          written: [],
          ms: 3,
          calls: 1,
        },
      },
    },
  },
})

export const executeIncomingAction = defineRoute({
  method: 'POST',
  path: '/api/sys/incoming-actions/{id}/execute',
  tag,
  summary: 'Run a rule for a message',
  description:
    'Answers the record that the rule made. A rule makes one record of a message: executed again, it answers the same one. A rule that ends by `return` makes none: 422 with the code `ended_without_record`. Needs create on the table. Where the rule updates or comments on the record that the message replies to, it needs read of that record, and update or comment; a hidden one is 404. The answer shows what you may read: `data` is empty when you may not read the record that was made or changed.',
  permission: signedIn,
  alsoFails: [403],
  params: oneRule,
  body: ExecuteBody,
  answer: EntityRecord,
  status: 201,
  example: { params: { id: 1 }, body: { message_id: 1, data: { priority: 5 } }, answer: record },
})

export const reprocessMessage = defineRoute({
  method: 'POST',
  path: '/api/sys/incoming_messages/{id}/reprocess',
  operationId: 'reprocessIncomingMessage',
  tag: 'Incoming messages',
  summary: 'Run the rules for a message again',
  description:
    'Runs the automatic rules that match the message now and have not succeeded, and answers the message with its `records` and `errors`. Writes that a failed script made before it failed are not made again while the rule is unchanged.',
  permission: administrator,
  params: z.object({ id: idOf('message') }),
  answer: MessageAnswer,
  example: {
    params: { id: 1 },
    answer: {
      id: 1,
      channel: 'api' as const,
      channel_id: null,
      mailbox_id: null,
      from_name: 'Ann Carter',
      from_email: 'ann@northwind.example',
      from_id: null,
      subject: 'My monitor flickers',
      body: 'It began this morning.',
      payload: { priority: '2' },
      attachments: [],
      is_processed: true,
      is_waiting: false,
      records: [{ model: 'requests', id: 4, action_id: 1 }],
      reply_to: null,
      errors: [],
      received_at: '2026-11-20T07:17:00.000Z',
    },
  },
})

const { list, create, ...single } = actionObjectRoutes
export const incomingActionRoutes: readonly Route[] = [
  list,
  create,
  listTargetModels,
  ...Object.values(single),
  prepareIncomingAction,
  executeIncomingAction,
  reprocessMessage,
]
