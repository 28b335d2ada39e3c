import * as z from 'zod'
import { maxLinkTokenCharacters } from '../../../shared/kernel/limits/accounts.ts'
import { TimelineAnswer, TimelineQuery } from '../../../shared/operations/timeline/schema.ts'
import { PageQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  defineRoute,
  onTable,
  type Route,
  signedIn,
} from '../../../shared/platform/http/routing/define-route.ts'
import { RecordParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import { ChangesAnswer, ChangesQuery } from '../../../shared/records/changes/schema.ts'
import { FollowedRecord } from '../../../shared/records/follow/schema.ts'
import { HistoryEntryAnswer, TrailEntryAnswer, TrailQuery } from '../../../shared/records/history/schema.ts'

export const getHistory = defineRoute({
  method: 'GET',
  path: '/api/sys/history/{model}/{id}',
  tag: 'History',
  summary: 'Read the history of a record',
  description:
    'Every change since the record was created, newest first; also of a deleted record. Holds the entry of every write that was answered before. `meta.pending` lists versions whose entries are still missing after eight seconds.',
  permission: onTable('read'),
  params: RecordParams,
  query: PageQuery,
  answer: HistoryEntryAnswer,
  shape: 'page',
  example: {
    params: { model: 'requests', id: 2 },
    answer: [
      {
        id: 2,
        action: 'update',
        user: { id: 1, name: 'Administrator' },
        changes: { status: { old: 'new', new: 'in_progress' }, priority: { old: 4, new: 5 } },
        created_at: '2026-11-20T07:18:00.000Z',
      },
      {
        id: 1,
        action: 'create',
        user: { id: 1, name: 'Administrator' },
        changes: { title: { old: null, new: 'VPN drops every hour' }, priority: { old: null, new: 4 } },
        created_at: '2026-11-20T07:17:00.000Z',
      },
    ],
  },
})

export const listChanges = defineRoute({
  method: 'GET',
  path: '/api/changes',
  tag: 'History',
  summary: 'Follow the changes of tables',
  description:
    'For programs that keep a copy: the ids of records that were created, changed or deleted since the last call, oldest first, each at its latest change. Keep `next_since` and send it as `since`; it never expires, and works after restarts and deployments. Every change is answered once, and none is left out: a write that was answered is in the feed within `lag_seconds`. A record that row rules hide from you comes as deleted if you could see it before, and else not at all; so does one that is deleted. When a table of the feed was removed, or your rights on one have changed, the answer is 422 `cursor_expired`: read all anew. A feed keeps its tables; a table that was made later needs a feed of its own.',
  permission: signedIn,
  alsoFails: [403, 409, 422],
  query: ChangesQuery,
  answer: ChangesAnswer,
  example: {
    query: { tables: 'requests', limit: 2 },
    answer: {
      changes: [
        { table: 'requests', id: 1, version: 3, deleted: false, at: '2026-11-20T07:18:00.000Z' },
        { table: 'requests', id: 4, version: 2, deleted: true, at: '2026-11-20T07:19:00.000Z' },
      ],
      next_since: 'Y2hhbmdlcwA',
      has_more: false,
      tables: ['requests'],
      lag_seconds: 10,
    },
  },
})

export const followRecord = defineRoute({
  method: 'GET',
  path: '/api/follow/{token}',
  tag: 'Comments',
  summary: 'Follow a record by its link',
  description:
    'What the page at `/follow/{token}` shows to somebody who is no user: title, number, state and public comments of one record. Templates of mails hold the link as `{{follow_url}}` where the setting `FOLLOW_TABLES` names the table. 404 for a wrong token, and when the table is not named (any more) or the record is gone.',
  open: true,
  alsoFails: [404, 429],
  params: z.object({
    token: z.string().max(maxLinkTokenCharacters).meta({ description: 'The signed token of the link.' }),
  }),
  answer: FollowedRecord,
  example: {
    params: { token: '1.requests.1.abcdefghijklmnopqrstuvwxyz234567' },
    answer: {
      company: 'Demo',
      label: 'Requests',
      number: 1,
      title: 'Printer on floor 2 is jammed',
      state: 'New',
      created_at: '2026-11-20T07:17:00.000Z',
      updated_at: '2026-11-20T07:17:00.000Z',
      comments: [
        {
          name: 'Demo',
          is_company: true,
          body: '@Ada Lovelace the spare part arrives on Monday.',
          created_at: '2026-11-20T07:17:00.000Z',
        },
      ],
      has_more: false,
    },
  },
})

export const getTimeline = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}/timeline',
  operationId: 'listTimeline',
  tag: 'History',
  summary: 'Read everything that happened to a record',
  description:
    'Its changes, comments, messages, deliveries, steps of processes and script runs in one list, newest first. It shows what you may see: changes without hidden fields, internal comments with `<table>.comment_internal`, deliveries with update, script runs to administrators; `meta.hidden_kinds` names the kinds that you may not see. At most 100 entries a page; `meta.next_cursor` continues at any depth at the same cost. Entries that arrive meanwhile do not move those behind the cursor. The timeline of a deleted record is for whoever may read its history, without comments, which went with it.',
  permission: onTable('read'),
  params: RecordParams,
  query: TimelineQuery,
  answer: TimelineAnswer,
  shape: 'raw',
  example: {
    params: { model: 'requests', id: 1 },
    query: { kinds: 'change,comment', per_page: 2 },
    answer: {
      success: true,
      data: [
        {
          kind: 'comment',
          at: '2026-11-20T07:19:00.000Z',
          id: '1',
          user: { id: 1, name: 'Administrator' },
          summary: 'Administrator commented',
          data: {
            id: 1,
            body: '@[2] the spare part arrives on Monday.',
            is_internal: false,
            attachments: [],
            mentions: [{ id: 2, name: 'Ada Lovelace' }],
            user: { id: 1, name: 'Administrator' },
            created_at: '2026-11-20T07:19:00.000Z',
            updated_at: '2026-11-20T07:19:00.000Z',
            is_edited: false,
            version: 1,
          },
          href: 'https://api.example.com/api/e/requests/1/comments',
        },
        {
          kind: 'change',
          at: '2026-11-20T07:18:00.000Z',
          id: '1',
          user: { id: 1, name: 'Administrator' },
          summary: 'Record created',
          data: {
            id: 1,
            action: 'create',
            user: { id: 1, name: 'Administrator' },
            changes: { title: { old: null, new: 'Printer on floor 2 is jammed' } },
            created_at: '2026-11-20T07:18:00.000Z',
          },
        },
      ],
      message: 'OK',
      meta: { per_page: 2, next_cursor: null, hidden_kinds: [] },
      links: { next: null },
    },
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
        id: 'requests.2.2.2026-11-20T07:18:00.000Z',
        action: 'update',
        model: 'requests',
        record_id: 2,
        version: 2,
        user: { id: 1, name: 'Administrator' },
        changes: { status: { old: 'new', new: 'in_progress' }, priority: { old: 4, new: 5 } },
        created_at: '2026-11-20T07:18:00.000Z',
      },
    ],
  },
})

export const routes: readonly Route[] = [listChanges, getHistory, getTimeline, getTrail, followRecord]
