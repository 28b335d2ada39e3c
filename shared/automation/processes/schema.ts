import * as z from 'zod'
import {
  maxCorrelationKeyCharacters,
  maxEventNameCharacters,
  maxMessageTtlSeconds,
  maxOutcomeCharacters,
  maxProcessNameCharacters,
  maxXmlCharacters,
} from '../../kernel/limits/processes.ts'
import { maxNameCharacters } from '../../kernel/limits/requests.ts'
import { parseDatetime } from '../../kernel/time/parse-date.ts'
import { readOnly, stamps } from '../../platform/configured-objects/schema.ts'
import { queryId, rowListQuery } from '../../platform/http/paging/page-query.ts'
import { formFieldTypes } from '../../tables/field-types/schema.ts'
import { findingCodes } from './definition/finding-codes.ts'
import { MigrationAnswer, OperationAnswer, Reason } from './operations/schema.ts'
import { taskActions } from './tasks/task-actions.ts'

export {
  BulkBody,
  FiguresAnswer,
  MigrateBody,
  ModifyBody,
  OperationAnswer,
  VariablesBody,
} from './operations/schema.ts'

const Id = z.int().positive()
const Moment = z.string().meta({ format: 'date-time' })
const Person = z.object({ id: Id, name: z.string() })

/** A point in time that a client sends, converted to UTC. */
const GivenMoment = z
  .string()
  .transform((text, context) => {
    const moment = parseDatetime(text)
    if (moment === undefined) context.addIssue({ code: 'invalid_format', format: 'datetime', input: text })
    return moment ?? ''
  })
  .meta({ description: 'ISO 8601; without an offset UTC.', type: 'string' })

const Model = z.string().max(maxNameCharacters).meta({ description: 'Name of the table.' })

// Templates

export const codePattern = /^[a-z][a-z0-9_-]{0,62}$/
const Code = z.string().regex(codePattern, {
  error: 'Use lower-case letters, digits, dashes and underscores, beginning with a letter, at most 63.',
})
const Name = z.string().trim().min(1).max(maxProcessNameCharacters)
const Xml = z
  .string()
  .min(1)
  .max(maxXmlCharacters)
  .meta({ description: 'A BPMN 2.0 document with one executable process.' })

export const TemplateHead = z.object({
  id: Id,
  code: z.string().meta({ description: 'Identifies it in scripts and configuration; unique, and never changes.' }),
  name: z.string(),
  table: z.string().meta({ description: 'The table whose records the process is about.' }),
  is_auto_start: z.boolean().meta({ description: 'Starts automatically for every new record of the table.' }),
  is_active: z.boolean().meta({ description: 'Only an active template starts; running instances continue.' }),
  ...stamps,
  version: z.int().meta({ description: 'Every change raises it; running instances keep theirs.' }),
})
export type TemplateHead = z.output<typeof TemplateHead>

const TemplateFinding = z.object({
  element_id: z.string().nullable().meta({ description: 'Null: the document as a whole.' }),
  code: z.enum(findingCodes),
  message: z.string(),
})

export const TemplateAnswer = TemplateHead.extend({
  bpmn_xml: z.string(),
  findings: z.array(TemplateFinding).optional().meta({
    description: 'Of a template that is not active: why it cannot run yet. Empty: it can be activated.',
  }),
  next_start_at: Moment.optional().meta({ description: 'Of a template that starts by a timer: when it does next.' }),
})
export type TemplateAnswer = z.output<typeof TemplateAnswer>

export const TemplateView = z.object({
  version: queryId(
    'version',
    'Answers the document of this version; 404 when there is none. The default is the current one.',
  ),
  layout: z.enum(['true', 'false']).optional().meta({
    description: 'Adds a diagram (BPMNDI) to a document that has none, so that modelers can open it. It is not saved.',
  }),
})

export const DescriptorQuery = z.object({
  table: z.string().optional().meta({
    description: 'Adds the attributes `complete_on_field_<field>` for the fields of this table that you may read.',
  }),
})

export const TemplateInput = z.strictObject({
  ...readOnly,
  findings: z.unknown().optional().meta({ description: 'Read only.' }),
  next_start_at: z.unknown().optional().meta({ description: 'Read only.' }),
  code: Code.optional().meta({ description: 'Derived from the name when left out.' }),
  name: Name,
  table: z
    .string()
    .optional()
    .meta({ description: 'When left out of a new template, the value of `wf:table` in the document.' }),
  bpmn_xml: Xml,
  is_auto_start: z
    .boolean()
    .optional()
    .meta({ description: 'When left out, the value of `wf:autoStart` in the document, or false.' }),
  is_active: z.boolean().optional().meta({
    description: 'True when left out. False saves a draft, which need not be able to run yet.',
  }),
})
export type TemplateInput = z.output<typeof TemplateInput>

export const TemplateChange = TemplateInput.partial()
export type TemplateChange = z.output<typeof TemplateChange>

// Instances

const RecordId = Id.nullable().meta({
  description: 'Null: a timer or a signal started the process, which is about no record.',
})

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
  variables: z.record(z.string(), z.unknown()).meta({ description: 'Those of the process itself.' }),
  scopes: z
    .array(z.object({ element_id: z.string(), execution_id: z.string(), variables: z.record(z.string(), z.unknown()) }))
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

// Tasks

const TaskStatus = z.enum(['pending', 'completed', 'cancelled'])

export const TaskQuery = rowListQuery('name, element, priority and outcome').extend({
  mine: z.enum(['true', 'false']).optional().meta({
    description:
      'Only tasks that wait for you: assigned to you, or unassigned and offered to you, your roles or your organisational units.',
  }),
  model: Model.optional(),
  record_id: queryId('record_id', 'Only those of this record; requires `model`.'),
  status: TaskStatus.optional().meta({ description: 'With `mine`, `pending` when left out.' }),
})
export type TaskQuery = z.output<typeof TaskQuery>

const FormFieldAnswer = z.object({
  name: z.string(),
  label: z.string().nullable(),
  type: z.enum(formFieldTypes),
  required: z.boolean(),
  readonly: z.boolean(),
  bind: z.string().nullable().meta({
    description: 'The field of the record to which the value is written; null: it becomes a variable of the process.',
  }),
  default: z.string().nullable(),
  options: z.array(z.string()),
  scale: z.int().nullable().meta({
    description: 'Digits after the point of a decimal; null: those of the field that it is bound to, else two.',
  }),
})

export const TaskAnswer = z.object({
  id: Id,
  instance_id: Id,
  element_id: z.string(),
  name: z.string().nullable(),
  status: TaskStatus,
  model: z.string(),
  record_id: RecordId,
  assignee: Id.nullable().meta({ description: 'Id of the user to whom the task is assigned.' }),
  candidates: z
    .object({ users: z.array(Id), roles: z.array(z.string()), org_units: z.array(Id) })
    .meta({ description: 'Who may claim it while it is unassigned.' }),
  due_at: Moment.nullable(),
  priority: z.string().nullable(),
  form_key: z.string().nullable(),
  form: z.array(FormFieldAnswer),
  outcomes: z.array(z.string()).meta({ description: 'The allowed values of `outcome`; empty: any.' }),
  outcome: z.string().nullable(),
  created_at: Moment,
  completed_at: Moment.nullable(),
  completed_by: Person.nullable(),
  owner: Id.nullable().meta({ description: 'Id of the user who delegated it, to whom it returns.' }),
  delegation: z
    .enum(['pending', 'resolved'])
    .nullable()
    .meta({ description: '`pending`: a delegate works on it; `resolved`: it is back with its owner.' }),
  proposal: z
    .object({ outcome: z.string().nullable(), data: z.record(z.string(), z.unknown()) })
    .nullable()
    .meta({ description: 'What the delegate entered; it counts where the owner enters nothing else.' }),
  substituted_for: Id.nullable().meta({
    description: 'Id of the user whose task it is, while a substitute (`substitute_id` of the user) has it.',
  }),
  four_eyes: z
    .string()
    .nullable()
    .meta({ description: 'The user task (`wf:fourEyes`) whose people may not do this one.' }),
  version: z.int().meta({ description: 'Every change raises it; the `ETag` of the task.' }),
  history: z
    .array(
      z.object({
        what: z.enum(taskActions),
        by: Person.nullable().meta({ description: 'Null: the service.' }),
        at: Moment,
        impersonator: Person.optional().meta({ description: 'The administrator who acted as `by`.' }),
        for: Person.optional().meta({ description: 'Whose task it was, when a substitute did it.' }),
        to: Person.optional().meta({ description: 'Who has the task since.' }),
        due_at: Moment.optional().meta({ description: 'Of `due_changed`; left out: at no time.' }),
      }),
    )
    .optional()
    .meta({ description: 'Who did what with it, oldest first: the newest 50. Lists leave it out.' }),
})
export type TaskAnswer = z.output<typeof TaskAnswer>

export const CompleteBody = z
  .strictObject({
    outcome: z.string().min(1).max(maxOutcomeCharacters).nullish(),
    data: z.record(z.string(), z.unknown()).optional().meta({ description: 'Values of the form, by field name.' }),
  })
  .optional()
export type CompleteBody = z.output<typeof CompleteBody>

const NewOwner = Id.meta({ description: 'Id of an active user.' })

export const ReassignBody = z.strictObject({ assignee: NewOwner })
export type ReassignBody = z.output<typeof ReassignBody>

export const DelegateBody = z.strictObject({ to: NewOwner })
export type DelegateBody = z.output<typeof DelegateBody>

export const TaskChangeBody = z.strictObject({
  version: readOnly.version,
  due_at: GivenMoment.nullable().optional().meta({ description: 'Null: at no time.' }),
})
export type TaskChangeBody = z.output<typeof TaskChangeBody>

// Messages and signals

const EventName = z.string().trim().min(1).max(maxEventNameCharacters)
const EventVariables = z
  .record(z.string(), z.unknown())
  .optional()
  .meta({ description: 'Become variables of the process where it waits.' })

export const ProcessMessageBody = z.strictObject({
  name: EventName,
  correlation_key: z
    .union([z.string().min(1).max(maxCorrelationKeyCharacters), z.int()])
    .optional()
    .meta({
      description:
        'Says which instances are meant: the value of their `wf:correlationKey`, by default the id of the record. Without it exactly one may wait.',
    }),
  variables: EventVariables,
  message_id: z
    .string()
    .min(1)
    .max(maxCorrelationKeyCharacters)
    .optional()
    .meta({ description: 'A message with the same id is taken once in 24 hours; a repeat gets the first answer.' }),
  ttl: z.int().min(0).max(maxMessageTtlSeconds).optional().meta({
    description: 'How many seconds it waits for a receiver; 3,600 when left out, 0: not at all.',
  }),
})
export type ProcessMessageBody = z.output<typeof ProcessMessageBody>

export const ProcessMessageAnswer = z.object({
  delivered: z
    .array(Id)
    .meta({ description: 'The ids of the process instances that received it, or that it started.' }),
  kept: z.boolean().meta({ description: 'Whether it waits for an instance that begins to wait for it.' }),
})
export type ProcessMessageAnswer = z.output<typeof ProcessMessageAnswer>

export const ProcessSignalBody = z.strictObject({ name: EventName, variables: EventVariables })
export type ProcessSignalBody = z.output<typeof ProcessSignalBody>

export const ProcessSignalAnswer = z.object({
  matched: z
    .int()
    .meta({ description: 'How many wait for it, and how many processes begin with it: it reaches each.' }),
})
export type ProcessSignalAnswer = z.output<typeof ProcessSignalAnswer>
