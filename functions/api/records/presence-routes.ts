import { defineRoute, noContent, onTable, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { RecordParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import { PresenceAnswer, PresenceInput } from '../../../shared/records/presence/schema.ts'

const tag = 'Presence'
const params = { model: 'requests', id: 1 }
const alone = { present: [{ id: 1, name: 'Administrator', is_editing: true }] }

export const getPresence = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}/presence',
  operationId: 'getPresence',
  tag,
  summary: 'Read who looks at a record',
  description:
    'People who said so within the last minute, at most 50.\n\nTo poll, send the `ETag` of the last answer as `If-None-Match`: while nobody comes or goes the answer is 304.',
  permission: onTable('read'),
  params: RecordParams,
  answer: PresenceAnswer,
  hasEtag: true,
  example: { params, answer: alone },
})

export const enterPresence = defineRoute({
  method: 'PUT',
  path: '/api/e/{model}/{id}/presence',
  operationId: 'setPresence',
  tag,
  summary: 'Say that you look at a record',
  description:
    'For a minute: a client repeats it every 25 seconds while the record is visible. Answers who looks at it. Whoever acts as somebody else is not shown. Nothing else follows from it: no version, no history, no notification.',
  permission: onTable('read'),
  params: RecordParams,
  body: PresenceInput,
  answer: PresenceAnswer,
  example: { params, body: { is_editing: true }, answer: alone },
})

export const leavePresence = defineRoute({
  method: 'DELETE',
  path: '/api/e/{model}/{id}/presence',
  operationId: 'endPresence',
  tag,
  summary: 'Say that you have left a record',
  permission: onTable('read'),
  params: RecordParams,
  ...noContent,
  example: { params },
})

export const presenceRoutes: readonly Route[] = [getPresence, enterPresence, leavePresence]
