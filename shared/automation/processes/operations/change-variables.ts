import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { maxVariableBytes } from '../../../kernel/limits/processes.ts'
import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import { changedVariables, setProcessVariables } from '../../bpmn/changes/set-variables.ts'
import type { CommandRow, StepRow } from '../rows/command-rows.ts'
import type { Instance } from '../rows/instance-row.ts'
import type { Operation } from '../rows/operation-row.ts'
import type { InstanceWork } from '../steps/commit-step.ts'
import { continuation, type InstanceChange } from './instance-change.ts'

/**
 * Sets and removes variables of the process itself; conditions that hold now occur in the next step. Throws Invalid for
 * the removal of one that does not exist.
 */
export function changeVariables(
  { services: { clock }, tenant, open }: InstanceWork,
  { by }: CommandRow,
  before: Instance,
  { set, remove }: Extract<Operation, { action: 'set_variables' }>,
): InstanceChange {
  const details = { set: Object.keys(set), removed: remove }
  if (before.state === undefined) {
    const { variables, rows } = givenToStart(before, open)
    requireKnown(variables, remove)
    return { after: { ...before, variables: changedVariables(variables, set, remove) }, rows, details }
  }
  requireKnown(before.variables, remove)
  const after = { ...before, ...setProcessVariables(before.state, set, remove) }
  return { after, rows: continuation(clock, tenant, after, open, by), details }
}

/** The variables of an instance whose first step failed stand in its command: they move to the instance, where they change. */
function givenToStart(before: Instance, open: InstanceWork['open']) {
  const start = open.commands.find(({ command }) => command.kind === 'start')
  if (start?.command.kind !== 'start') return { variables: before.variables, rows: [] }
  const moved: StepRow = {
    update: start.key,
    change: {
      expression: 'SET command = :command',
      values: { ':command': JSON.stringify({ ...start.command, variables: {} }) },
    },
    if: exists,
  }
  return { variables: { ...before.variables, ...start.command.variables }, rows: [moved] }
}

function requireKnown(variables: Instance['variables'], remove: readonly string[]): void {
  const known = Object.keys(variables)
  const unknown = remove.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Invalid({ remove: unknown.map((name) => `${name}: ${thereIsNo('variable', name, known)}`) })
}

/** Names under which expressions see something else, so that they would never see a variable. */
const reserved = new Set(['record', 'old', 'user', 'task', 'tasks', 'variables', 'loop'])

/** Throws Invalid for variables that cannot be set or removed. */
export function checkVariables(set: Readonly<Record<string, unknown>>, remove: readonly string[]): void {
  const errors: FieldErrors = byName()
  const names = Object.keys(set)
  if (names.length + remove.length === 0) errors.set = ['Name variables to set, or to remove.']
  for (const name of names)
    if (reserved.has(name))
      errors[`set.${name}`] = [`${name} means something else in expressions: give the variable another name.`]
  if (Buffer.byteLength(JSON.stringify(set)) > maxVariableBytes)
    errors.set = [`The variables may not be larger than ${maxVariableBytes / 1024} KB.`]
  const both = remove.filter((name) => Object.hasOwn(set, name))
  if (both.length > 0) errors.remove = both.map((name) => `${name} is to be set as well: name it once.`)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}
