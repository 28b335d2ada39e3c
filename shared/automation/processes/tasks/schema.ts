import * as z from 'zod'
import { maxOutcomeCharacters } from '../../../kernel/limits/processes.ts'
import { readOnly } from '../../../platform/configured-objects/schema.ts'
import { queryId, rowListQuery } from '../../../platform/http/paging/page-query.ts'
import { formFieldTypes } from '../../../tables/field-types/schema.ts'
import { taskActions } from '../rows/task-actions.ts'
import { GivenMoment, Id, Model, Moment, Person, RecordId } from '../schema-parts.ts'

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
  is_hidden: z.literal(true).optional().meta({
    description:
      'Fields that you may not read went into its name, its times, its people or the presets of its form, or may have: those are left out.',
  }),
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
