import * as z from 'zod'
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

const VariableName = z.string().min(1).max(maxNameCharacters)

export const VariablesBody = z.strictObject({
  set: z
    .record(VariableName, z.unknown())
    .optional()
    .meta({ description: 'Variables of the process itself and their new values.' }),
  remove: z.array(VariableName).optional().meta({ description: 'The names of variables that it is to lose.' }),
})
export type VariablesBody = z.output<typeof VariablesBody>
