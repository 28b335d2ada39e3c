import * as z from 'zod'
import { MakeRecordBody } from '../../../shared/automation/incoming-actions/schema.ts'
import { MessageAnswer } from '../../../shared/messages/incoming-messages/schema.ts'
import { defineRoute, named, type Route, signedIn } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { verbRoutes } from '../../../shared/platform/http/routing/verb-routes.ts'
import { EntityRecord } from '../../../shared/records/records/schema.ts'

const tag = 'Incoming messages'
const oneMessage = z.object({ id: idOf('message') })

const message = {
  id: 2,
  channel: 'api' as const,
  channel_id: null,
  mailbox_id: null,
  from_name: 'Ada Lovelace',
  from_email: 'ada@example.com',
  from_id: null,
  subject: 'Printer jam',
  body: 'The printer on floor 2 is jammed again.',
  payload: {},
  attachments: [],
  is_processed: true,
  is_waiting: false,
  records: [],
  reply_to: null,
  errors: [],
  received_at: '2026-11-20T07:17:00.000Z',
}
const data = { title: 'Printer jam', description: 'The printer on floor 2 is jammed again.', priority: 3 }

export const makeRecord = defineRoute({
  method: 'POST',
  path: '/api/sys/incoming_messages/{id}/records',
  operationId: 'makeRecordOfMessage',
  tag,
  summary: 'Make a record of a message',
  description:
    'The record is made like every record that you create, and linked with the message: it stands in the timeline, and answers to the mail lead there. The files of a mail go to the only field for files of the table, unless `data` names it. Once per message: asked again, it answers the same record. Needs create on the table. The answer shows what you may read.',
  permission: signedIn,
  alsoFails: [403],
  params: oneMessage,
  body: MakeRecordBody,
  answer: EntityRecord,
  status: 201,
  example: {
    params: { id: 1 },
    body: { model: 'requests', data },
    answer: {
      id: 4,
      tenant_id: 1,
      created_by: 1,
      updated_by: 1,
      created_at: '2026-11-20T07:17:00.000Z',
      updated_at: '2026-11-20T07:17:00.000Z',
      version: 1,
      data: { ...data, status: 'new' },
    },
  },
})

export const messageVerbs = verbRoutes(
  {
    path: '/api/sys/incoming_messages/{id}',
    tag,
    permission: named('incoming_messages', 'update'),
    params: oneMessage,
    answer: MessageAnswer,
    of: { id: 1 },
  },
  {
    dismiss: {
      operationId: 'dismissIncomingMessage',
      summary: 'Set a message aside',
      description:
        'It counts as dealt with (`is_processed`) though nothing was made of it. One that was dealt with already stays as it is.',
      example: { answer: { ...message, id: 1 } },
    },
    reopen: {
      operationId: 'reopenIncomingMessage',
      summary: 'Take a message back that was set aside',
      description: 'One that was not set aside stays as it is.',
      example: { answer: { ...message, id: 1, is_processed: false } },
    },
  },
)

export const byHandRoutes: readonly Route[] = [makeRecord, ...Object.values(messageVerbs)]
