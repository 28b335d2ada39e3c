import * as z from 'zod'
import { HistoryEntryAnswer } from '../../shared/history/schema.ts'
import { defineRoute, onTable, type Route } from '../../shared/http/define-route.ts'
import { IdParam, PageQuery } from '../../shared/http/paging.ts'

export const getHistory = defineRoute({
  method: 'GET',
  path: '/api/sys/history/{model}/{id}',
  tag: 'History',
  summary: 'Read the history of a record',
  description:
    'Newest first, every change since the record was made; it outlives the record. A read that follows an answered write shows its entry; `meta.pending` names versions that are still on their way after eight seconds.',
  permission: onTable('read'),
  params: z.object({ model: z.string().meta({ description: 'Name of the table.' }), id: IdParam.meta({ description: 'Id of the record.' }) }),
  query: PageQuery,
  answer: HistoryEntryAnswer,
  shape: 'page',
  example: {
    params: { model: 'requests', id: 42 },
    answer: [
      { id: 2, action: 'update', user: { id: 3, name: 'Ada' }, changes: { priority: { old: 3, new: 5 } }, created_at: '2026-11-20T07:18:00.000Z' },
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

export const routes: readonly Route[] = [getHistory]
