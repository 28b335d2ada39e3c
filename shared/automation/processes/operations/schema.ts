import * as z from 'zod'
import {
  maxBulkInstances,
  maxElementIdCharacters,
  maxFiguredHistories,
  maxFiguredInstances,
  maxMovesOfOperation,
  maxReasonCharacters,
} from '../../../kernel/limits/processes.ts'
import { maxNameCharacters } from '../../../kernel/limits/requests.ts'
import { operationActions } from '../rows/operation-row.ts'

const Moment = z.string().meta({ format: 'date-time' })
const Person = z.object({ id: z.int().positive(), name: z.string() })

/** What an operator did to an instance. */
export const OperationAnswer = z.object({
  action: z.enum(operationActions),
  by: Person.nullable(),
  at: Moment,
  details: z
    .record(z.string(), z.unknown())
    .meta({ description: 'What it changed: the names of variables, the elements, or the versions.' }),
  impersonator: Person.optional().meta({ description: 'The administrator who acted as `by`.' }),
})
export type OperationAnswer = z.output<typeof OperationAnswer>

const ElementId = z.string().min(1).max(maxElementIdCharacters)

export const ModifyBody = z
  .strictObject({
    move: z
      .array(z.strictObject({ from: ElementId, to: ElementId }))
      .max(maxMovesOfOperation)
      .optional()
      .meta({ description: 'Ends what is at `from`, whatever it waits for, and enters `to` instead.' }),
    cancel: z
      .array(ElementId)
      .max(maxMovesOfOperation)
      .optional()
      .meta({ description: 'Ends what is at these elements, without a way on.' }),
  })
  .refine(({ move = [], cancel = [] }) => move.length + cancel.length > 0, {
    path: ['move'],
    message: 'Name what is to be moved, or cancelled.',
  })
export type ModifyBody = z.output<typeof ModifyBody>

export const MigrateBody = z.strictObject({
  version: z.int().positive().meta({ description: 'The version of its template that it is to run.' }),
  mapping: z
    .record(ElementId, ElementId)
    .optional()
    .meta({ description: 'Elements, and flows, of the version that it runs, and what takes their place.' }),
  dry_run: z.boolean().optional().meta({ description: 'Says what would happen, and writes nothing.' }),
})
export type MigrateBody = z.output<typeof MigrateBody>

/** What a migration does. */
export const MigrationAnswer = z.object({
  from_version: z.int(),
  to_version: z.int(),
  mapping: z.record(z.string(), z.string()),
  tokens: z.array(
    z.object({
      element_id: z.string(),
      to_element_id: z.string(),
      effect: z.enum(['kept', 'updated', 'restarted']).meta({
        description:
          '`kept`: its definition is the same. `updated`: it stays, by the new definition. `restarted`: what it waits for differs, so the event begins again.',
      }),
      count: z.int(),
    }),
  ),
  four_eyes: z
    .array(z.object({ element_id: z.string(), to_element_id: z.string(), tasks: z.int() }))
    .optional()
    .meta({
      description: 'Whose completed tasks count for `wf:fourEyes` of the version under another name, or from then on.',
    }),
  warnings: z.array(z.string()).optional().meta({ description: 'What the migration would lose.' }),
})
export type MigrationAnswer = z.output<typeof MigrationAnswer>

export const bulkActions = ['retry', 'cancel', 'migrate', 'suspend', 'resume'] as const

/** Why an instance is cancelled. */
export const Reason = z
  .string()
  .trim()
  .min(1)
  .max(maxReasonCharacters)
  .meta({ description: 'Why, for those who look at it later.' })

export const BulkBody = z.strictObject({
  filter: z.record(z.string(), z.unknown()).meta({
    description: `Which instances, in the grammar of lists, over \`id\`, \`status\`, \`template_id\`, \`template_code\`, \`version\`, \`model\`, \`record_id\`, \`source\`, \`parent_id\`, \`started_by\`, \`started_at\` and \`ended_at\`; \`{}\` for all. The newest ${maxBulkInstances} that have not ended.`,
  }),
  action: z.enum(bulkActions),
  version: z.int().positive().optional().meta({ description: 'Of `migrate`: the version of the template.' }),
  mapping: z.record(ElementId, ElementId).optional().meta({ description: 'Of `migrate`.' }),
  reason: Reason.nullish().meta({ description: 'Of `cancel`: why, for those who look at it later.' }),
})
export type BulkBody = z.output<typeof BulkBody>

const Count = z.int()

export const FiguresAnswer = z.object({
  template_id: z.int(),
  version: z.int().meta({ description: 'The current version.' }),
  instances: z.object({
    counted: Count.meta({ description: `The newest ${maxFiguredInstances} at most.` }),
    is_exact: z.boolean().meta({ description: 'Whether these are all instances of the template.' }),
    versions: z.array(
      z.object({
        version: z.int(),
        running: Count,
        suspended: Count,
        incident: Count,
        completed: Count,
        cancelled: Count,
      }),
    ),
  }),
  elements: z.array(
    z.object({
      element_id: z.string(),
      waiting: Count.meta({ description: 'What waits there now in the instances that were counted.' }),
      incidents: Count.meta({ description: 'What failed there and waits for a retry.' }),
      completed: Count.meta({ description: 'How often it was completed in the instances whose history was read.' }),
      mean_ms: z.number().nullable().meta({ description: 'From entered to completed, in milliseconds.' }),
      p95_ms: z.number().nullable(),
    }),
  ),
  durations: z.object({
    instances: Count.meta({ description: `Whose histories were read: the newest ${maxFiguredHistories} at most.` }),
    is_exact: z.boolean().meta({ description: 'Whether `completed` and the durations are of all instances.' }),
  }),
})
export type FiguresAnswer = z.output<typeof FiguresAnswer>

const VariableName = z.string().min(1).max(maxNameCharacters)

export const VariablesBody = z.strictObject({
  set: z
    .record(VariableName, z.unknown())
    .optional()
    .meta({ description: 'Variables of the process itself and their new values.' }),
  remove: z.array(VariableName).optional().meta({ description: 'The names of variables that it is to lose.' }),
})
export type VariablesBody = z.output<typeof VariablesBody>
