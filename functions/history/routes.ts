import * as z from 'zod'
import { HistoryEntryAnswer, TrailEntryAnswer, TrailQuery } from '../../shared/history/schema.ts'
import { IdParam, PageQuery } from '../../shared/http/paging/page-query.ts'
import { administrator, defineRoute, onTable, type Route } from '../../shared/http/routing/define-route.ts'

export const getHistory = defineRoute({
  method: 'GET',
  path: '/api/sys/history/{model}/{id}',
  tag: 'History',
  summary: 'Read the history of a record',
  description:
    'Every change since the record was created, newest first; also of a deleted record. Holds the entry of every write that was answered before. `meta.pending` lists versions whose entries are still missing after eight seconds.',
  permission: onTable('read'),
  params: z.object({
    model: z.string().meta({ description: 'Name of the table.' }),
    id: IdParam.meta({ description: 'Id of the record.' }),
  }),
  query: PageQuery,
  answer: HistoryEntryAnswer,
  shape: 'page',
  example: {
    params: { model: 'requests', id: 42 },
    answer: [
      {
        id: 2,
        action: 'update',
        user: { id: 3, name: 'Ada' },
        changes: { priority: { old: 3, new: 5 } },
        created_at: '2026-11-20T07:18:00.000Z',
      },
      {
        id: 1,
        action: 'create',
        user: { id: 3, name: 'Ada' },
        changes: { title: { old: null, new: 'Printer on floor 2 is jammed' }, priority: { old: null, new: 3 } },
        created_at: '2026-11-20T07:17:00.000Z',
      },
    ],
  },
})

export const getTrail = defineRoute({
  method: 'GET',
  path: '/api/sys/audit',
  tag: 'History',
  summary: "Read the tenant's trail",
  description:
    'Everything that happened in any table, newest first: changes of records, and logins, logouts and changes of users, tables, roles and relations (`sys_users`, `sys_entities`, `sys_roles`, `sys_relations`). An entry appears within two seconds of its change.',
  permission: administrator,
  query: TrailQuery,
  answer: TrailEntryAnswer,
  shape: 'page',
  example: {
    query: { model: 'requests', action: 'update' },
    answer: [
      {
        id: 'requests.42.2.2026-11-20T07:18:00.000Z',
        action: 'update',
        model: 'requests',
        record_id: 42,
        version: 2,
        user: { id: 3, name: 'Ada' },
        changes: { priority: { old: 3, new: 5 } },
        created_at: '2026-11-20T07:18:00.000Z',
      },
    ],
  },
})

export const routes: readonly Route[] = [getHistory, getTrail]
