import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  defineRoute,
  noContent,
  onTable,
  type Route,
  signedIn,
} from '../../../shared/platform/http/routing/define-route.ts'
import { RecordParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import { SnoozedRecord, SnoozeInput } from '../../../shared/records/snoozes/schema.ts'

const tag = 'Views'
const snoozed = { id: 1, model: 'requests', snoozed_until: '2036-11-23T08:00:00.000Z' }

export const snoozeRecord = defineRoute({
  method: 'PUT',
  path: '/api/e/{model}/{id}/snooze',
  operationId: 'setSnooze',
  tag,
  summary: 'Snooze a record',
  description:
    'It leaves your views, with their counts and exports, until then or until it changes or its customer writes, for you alone. Lists without a view still have it, and reading it answers `meta.snoozed_until`. `until: null` ends it.',
  permission: onTable('read'),
  params: RecordParams,
  body: SnoozeInput,
  answer: SnoozedRecord,
  example: { params: { model: 'requests', id: 1 }, body: { until: '2036-11-23T08:00:00Z' }, answer: snoozed },
})

export const endSnooze = defineRoute({
  method: 'DELETE',
  path: '/api/e/{model}/{id}/snooze',
  operationId: 'endSnooze',
  tag,
  summary: 'End the snooze of a record',
  description: 'It is back in your views. One that is not snoozed stays as it is.',
  permission: onTable('read'),
  params: RecordParams,
  ...noContent,
  example: { params: { model: 'requests', id: 1 } },
})

export const listSnoozed = defineRoute({
  method: 'GET',
  path: '/api/sys/snoozed',
  operationId: 'listSnoozed',
  tag,
  summary: 'List the records that you snoozed',
  description: 'Of all tables that you may read; the one that returns first comes first.',
  permission: signedIn,
  query: listQuery(SnoozedRecord),
  shape: 'page',
  answer: SnoozedRecord,
  example: { answer: [snoozed] },
})

export const snoozeRoutes: readonly Route[] = [snoozeRecord, endSnooze, listSnoozed]
