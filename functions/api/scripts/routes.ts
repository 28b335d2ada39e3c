import * as z from 'zod'
import { administrator, defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { DryRun, ScriptRunAnswer, ScriptRunQuery, ScriptToCheck, ScriptToRun } from '../../../shared/scripts/schema.ts'

const tag = 'Scripts'
const script = "if (!$data.title) $data.title = 'Untitled'"

export const listScriptRuns = defineRoute({
  method: 'GET',
  path: '/api/sys/script-runs',
  tag,
  summary: 'List runs of scripts',
  description:
    'Newest first, kept for 30 days. Each run says which script ran for which record, how long it took, what it logged, and why it failed. `meta.total` counts the matches among the newest 2,000 runs; when there are more, `meta.total_exact` is false, and `cursor` still reads all of them.',
  permission: administrator,
  query: ScriptRunQuery,
  answer: ScriptRunAnswer,
  shape: 'page',
  example: {
    query: { model: 'requests', status: 'ok' },
    answer: [
      {
        id: 1795159020000123,
        run_id: '0b9c5b0e-6a53-4d4b-9f0e-2f1a6f4b8a11.7',
        kind: 'after_update',
        automation_id: 1,
        name: 'tell of progress',
        model: 'requests',
        record_id: 2,
        user_id: 1,
        depth: 0,
        status: 'ok',
        ms: 12,
        calls: 1,
        log: [],
        error: null,
        created_at: '2026-11-20T07:17:00.000Z',
      },
    ],
  },
})

export const checkScript = defineRoute({
  method: 'POST',
  path: '/api/sys/scripts/check',
  operationId: 'checkScript',
  tag,
  summary: 'Check the syntax of a script',
  description:
    'A syntax error is 422 with `errors.script`, and `data` has its line and column. The same check runs when a table is saved. With `model`, fields of `$data` and `$old` that the table lacks are `warnings`.',
  permission: administrator,
  alsoFails: [404],
  body: ScriptToCheck,
  mayWarn: true,
  answer: z.object({ ok: z.literal(true) }),
  example: { body: { script, kind: 'before_create' }, answer: { ok: true } },
})

export const runScript = defineRoute({
  method: 'POST',
  path: '/api/sys/scripts/run',
  operationId: 'runScript',
  tag,
  summary: 'Dry-run a script',
  description:
    'Runs a script like a hook of `model`, without side effects. Reads are real; writes are validated and listed in `written`, but not made; notifications are listed in `sent`, but not sent. A script that fails still answers 200.',
  permission: administrator,
  alsoFails: [404],
  body: ScriptToRun,
  answer: DryRun,
  example: {
    body: { script, kind: 'before_create', model: 'requests', data: { priority: 3 } },
    answer: {
      status: 'ok',
      data: { priority: 3, title: 'Untitled' },
      returned: false,
      log: [],
      error: null,
      sent: [],
      written: [],
      ms: 2.1,
      calls: 0,
    },
  },
})

export const getScriptTypes = defineRoute({
  method: 'GET',
  path: '/api/sys/scripts/types',
  operationId: 'getScriptTypes',
  tag,
  summary: 'Read the types for scripts',
  description:
    'Answers TypeScript declarations of `$data`, `$old`, `$record`, `$incoming`, `$user`, `$context` and `$api` for all tables of the tenant, for use in editors.',
  permission: administrator,
  alsoFails: [404],
  query: z.object({
    model: z.string().optional().meta({ description: 'Name of the table whose records `$data` and `$old` are.' }),
  }),
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/plain; charset=utf-8',
  example: { query: { model: 'requests' }, answer: 'interface RequestsFields {\n  title: string | null\n}\n...' },
})

export const routes: readonly Route[] = [listScriptRuns, checkScript, runScript, getScriptTypes]
