import * as z from 'zod'
import { queryId, rowListQuery } from '../platform/http/paging/page-query.ts'
import { hookKinds } from '../tables/tables/schema.ts'

const LogLine = z.object({ level: z.enum(['info', 'warn', 'error']), message: z.string() })
const ScriptProblem = z.object({ message: z.string(), line: z.int().nullable(), column: z.int().nullable() })
const Status = z.enum(['ok', 'error', 'stopped'])

/** One script run of the run log. */
export const ScriptRunAnswer = z.object({
  id: z.int(),
  run_id: z.string().meta({ description: '`$context.run_id`: the same when a run is repeated after a crash.' }),
  kind: z.string(),
  automation_id: z.int().nullable(),
  name: z.string().nullable(),
  model: z.string(),
  record_id: z.int().nullable(),
  user_id: z.int(),
  impersonator_id: z.int().optional().meta({ description: 'The administrator who acted as the user.' }),
  depth: z.int().meta({ description: '0 for a script that no other script led to.' }),
  status: Status.meta({ description: '`error`: the script failed or refused. `stopped`: a limit ended it.' }),
  ms: z.int(),
  calls: z.int().meta({ description: 'Calls of `$api`.' }),
  log: z.array(LogLine),
  error: ScriptProblem.nullable(),
  created_at: z.string(),
})
export type ScriptRunAnswer = z.output<typeof ScriptRunAnswer>

export const ScriptRunQuery = rowListQuery('name, table, kind and the message of the error').extend({
  model: z.string().optional(),
  status: Status.optional(),
  automation_id: queryId('automation_id', 'Only runs of this hook.'),
})
export type ScriptRunQuery = z.output<typeof ScriptRunQuery>

export const ScriptToCheck = z.object({
  script: z.string(),
  kind: z.enum(hookKinds).optional(),
  model: z.string().optional().meta({ description: 'The table of the hook: `warnings` then names fields it lacks.' }),
})

export const ScriptToRun = z.object({
  script: z.string(),
  kind: z.enum(hookKinds),
  model: z.string(),
  id: z.int().min(1).optional().meta({ description: '`$context.id`.' }),
  data: z.record(z.string(), z.unknown()).nullish(),
  old: z.record(z.string(), z.unknown()).nullish(),
})
export type ScriptToRun = z.output<typeof ScriptToRun>

/** The result of a dry run, with what it would have sent and written. */
export const DryRun = z.object({
  status: Status,
  data: z.unknown().meta({ description: '`$data` as the script left it.' }),
  returned: z.boolean().meta({ description: 'Whether a top-level `return` ended the script.' }),
  log: z.array(LogLine),
  error: ScriptProblem.extend({ field: z.string().optional() }).nullable(),
  sent: z.array(z.record(z.string(), z.unknown())).meta({ description: 'Notifications that would have been sent.' }),
  written: z
    .array(z.record(z.string(), z.unknown()))
    .meta({ description: 'Records that would have been created, updated or removed.' }),
  ms: z.number(),
  calls: z.int(),
})
export type DryRun = z.output<typeof DryRun>
