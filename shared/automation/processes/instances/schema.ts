import * as z from 'zod'
import { queryId, rowListQuery } from '../../../platform/http/paging/page-query.ts'
import { MigrationAnswer, OperationAnswer, Reason } from '../operations/schema.ts'
import { Id, Model, Moment, Person, RecordId } from '../schema-parts.ts'

const InstanceStatus = z.enum(['running', 'completed', 'cancelled', 'incident', 'suspended'])

export const InstanceQuery = rowListQuery('the code of the template and the table').extend({
  model: Model.optional(),
  record_id: queryId('record_id', 'Only those about this record; requires `model`.'),
  status: InstanceStatus.optional(),
  template_id: queryId('template_id', 'Only those of this template.'),
})
export type InstanceQuery = z.output<typeof InstanceQuery>

export const InstanceHead = z.object({
  id: Id,
  status: InstanceStatus,
  template: z.object({ id: Id, code: z.string(), name: z.string(), version: z.int() }),
  model: z.string(),
  record_id: RecordId,
  source: z
    .string()
    .meta({ description: 'What started it: `auto`, `api`, `script`, `message`, `signal`, `timer` or `call`.' }),
  parent_id: Id.nullable().meta({ description: 'The instance that has called it.' }),
  started_by: Person.nullable(),
  started_at: Moment,
  ended_at: Moment.nullable(),
})
export type InstanceHead = z.output<typeof InstanceHead>

const Hidden = z.literal(true).optional().meta({
  description: 'Left out is what fields went into that you may not read, or may have.',
})

const Token = z.object({
  element_id: z.string(),
  name: z.string().nullable(),
  type: z.string().meta({ description: '`userTask`, `intermediateCatchEvent`, ...' }),
  kind: z.enum(['task', 'timer', 'message', 'signal', 'condition', 'call', 'failed']).meta({
    description: 'What it waits for: a task, a timer, an event, a called process, or the retry of a failure.',
  }),
  event: z.string().optional().meta({ description: 'The name of the message or signal that it waits for.' }),
  correlation_key: z.string().optional(),
  since: Moment.optional(),
  task_id: Id.optional(),
  due_at: Moment.optional(),
  is_hidden: Hidden,
  incident_id: Id.optional(),
  called_id: Id.optional().meta({ description: 'The instance of the called process.' }),
})

const DecidedRules = z.array(
  z.object({ id: z.string(), number: z.int().meta({ description: 'Its place in the table, from 1.' }) }),
)

/** The evaluation of a decision, as the history of a process shows it. */
const DecisionShown = z.object({
  id: Id,
  code: z.string(),
  version: z.int().meta({ description: 'The version of the decision that was evaluated.' }),
  inputs: z.record(z.string(), z.unknown()).meta({ description: 'What it was given, by name.' }),
  rules: DecidedRules.meta({ description: 'The rules that matched and that the result comes from: the first 50.' }),
  matched: z.int().nullable().meta({ description: 'How many rules that were.' }),
  result: z.unknown(),
  required: z
    .array(z.object({ id: z.string(), rules: DecidedRules }))
    .optional()
    .meta({ description: 'The decisions of the document that it required, in the order of their evaluation.' }),
  is_shortened: z.literal(true).optional().meta({ description: 'Long values were cut, or values were left out.' }),
  is_hidden: z.literal(true).optional().meta({
    description:
      'It was given what you may not read, or what may come from that: those inputs, and what it answered, are left out.',
  }),
})
export type DecisionShown = z.output<typeof DecisionShown>

const Activity = z.object({
  element_id: z.string(),
  name: z.string().nullable(),
  type: z.string().meta({ description: '`userTask`, `exclusiveGateway`, `boundaryEvent`, ...' }),
  execution_id: z.string().meta({ description: 'Identifies one pass through the element.' }),
  status: z.enum(['active', 'completed', 'cancelled', 'failed']),
  started_at: Moment,
  ended_at: Moment.nullable(),
  decision: DecisionShown.optional().meta({ description: 'What a business rule task decided, and by which rules.' }),
})

const IncidentStatus = z.enum(['open', 'resolved'])

export const IncidentAnswer = z.object({
  id: Id,
  instance_id: Id,
  template_code: z.string(),
  model: z.string(),
  record_id: RecordId,
  element_id: z.string().nullable().meta({ description: 'The activity that failed; null when the whole step failed.' }),
  message: z.string(),
  is_hidden: z.literal(true).optional().meta({
    description: 'The message may tell of fields that you may not read: another one stands for it.',
  }),
  status: IncidentStatus,
  created_at: Moment,
  resolved_at: Moment.nullable(),
})
export type IncidentAnswer = z.output<typeof IncidentAnswer>

export const IncidentQuery = rowListQuery('message, element, table and the code of the template').extend({
  status: IncidentStatus.optional(),
  model: Model.optional(),
})
export type IncidentQuery = z.output<typeof IncidentQuery>

const InstanceTemplate = z.object({ id: Id, code: z.string(), name: z.string(), version: z.int() })

/** An instance that ends because its record is deleted. */
export const CancelledProcess = z.object({ id: Id, record_id: Id, template: InstanceTemplate })
export type CancelledProcess = z.output<typeof CancelledProcess>

/** The same when the record is back: the instance stays cancelled. */
export const StartableProcess = CancelledProcess.extend({
  start_again: z
    .object({
      method: z.literal('POST'),
      path: z.literal('/api/sys/process-instances'),
      body: z.object({ template_code: z.string(), record_id: Id }),
    })
    .nullable()
    .meta({ description: 'The request that starts the process from its beginning; null when its template is gone.' }),
})
export type StartableProcess = z.output<typeof StartableProcess>

export const InstanceAnswer = InstanceHead.extend({
  parent: z
    .object({ id: Id, element_id: z.string(), status: InstanceStatus, template: InstanceTemplate })
    .nullable()
    .meta({ description: 'The instance that has called it, and the call activity there.' }),
  called: z
    .array(
      z.object({
        id: Id,
        element_id: z.string(),
        status: InstanceStatus,
        template: InstanceTemplate,
        started_at: Moment,
        ended_at: Moment.nullable(),
      }),
    )
    .meta({ description: 'The instances that it has called, newest first: the newest 100.' }),
  tokens: z.array(Token).meta({ description: 'Everything it waits for now.' }),
  variables: z.record(z.string(), z.unknown()).meta({
    description: 'Those of the process itself, without what fields went into that you may not read.',
  }),
  is_hidden: z.literal(true).optional().meta({
    description: 'Fields that you may not read went into some of its variables, or may have: those are left out.',
  }),
  scopes: z
    .array(
      z.object({
        element_id: z.string(),
        execution_id: z.string(),
        variables: z.record(z.string(), z.unknown()),
        is_hidden: Hidden,
      }),
    )
    .meta({ description: 'The variables of running sub-processes, passes of loops and tasks that have some.' }),
  history: z.array(Activity).meta({
    description:
      'The activities, gateways and events that were reached, and what administrators did in between, oldest first; of a long process those of the newest 500 steps.',
  }),
  has_more_history: z.boolean().meta({ description: 'Whether older entries were left out.' }),
  operations: z.array(OperationAnswer).meta({
    description: 'What administrators did to it, newest first: the newest 100.',
  }),
  incidents: z.array(IncidentAnswer).meta({
    description: 'Newest first: the newest 100, and all open ones, also those of the processes that it calls.',
  }),
  ad_hoc: z
    .array(
      z.object({
        element_id: z.string(),
        execution_id: z.string(),
        activities: z.array(z.object({ element_id: z.string(), name: z.string().nullable() })),
      }),
    )
    .meta({ description: 'The running ad-hoc sub-processes, and what requests may begin in them.' }),
})
export type InstanceAnswer = z.output<typeof InstanceAnswer>

export const MigratedAnswer = InstanceAnswer.extend({
  migration: MigrationAnswer.meta({ description: 'What was done, or with `dry_run` would be.' }),
})
export type MigratedAnswer = z.output<typeof MigratedAnswer>

export const StartBody = z
  .strictObject({
    template_id: Id.optional().meta({ description: 'Either this or `template_code`.' }),
    template_code: z.string().optional(),
    model: z.string().optional().meta({ description: 'When given, it must be the table of the template.' }),
    record_id: Id,
    variables: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(({ template_id, template_code }) => template_id !== undefined || template_code !== undefined, {
    path: ['template_id'],
    message: 'The template_id field is required when template_code is not given.',
    // Also when another field is wrong, so that the answer names all wrong fields.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
export type StartBody = z.output<typeof StartBody>

export const CancelBody = z
  .strictObject({
    reason: Reason.nullish(),
  })
  .optional()
export type CancelBody = z.output<typeof CancelBody>

export const BeginBody = z.strictObject({
  element_id: z.string().min(1).meta({
    description: 'An activity of a running ad-hoc sub-process that no flow leads to: one of `ad_hoc` of the instance.',
  }),
  execution_id: z.string().min(1).optional().meta({
    description: 'Which of several running passes of the sub-process is meant: its `execution_id` in `ad_hoc`.',
  }),
})
export type BeginBody = z.output<typeof BeginBody>
