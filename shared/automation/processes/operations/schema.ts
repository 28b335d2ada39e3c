import * as z from 'zod'
import { maxElementIdCharacters, maxMovesOfOperation } from '../../../kernel/limits/processes.ts'
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
          '`kept`: its definition is the same. `updated`: it waits on, by the new definition. `restarted`: what it waits for differs, so the event begins again.',
      }),
      count: z.int(),
    }),
  ),
})
export type MigrationAnswer = z.output<typeof MigrationAnswer>

const VariableName = z.string().min(1).max(maxNameCharacters)

export const VariablesBody = z.strictObject({
  set: z
    .record(VariableName, z.unknown())
    .optional()
    .meta({ description: 'Variables of the process itself and their new values.' }),
  remove: z.array(VariableName).optional().meta({ description: 'The names of variables that it is to lose.' }),
})
export type VariablesBody = z.output<typeof VariablesBody>
