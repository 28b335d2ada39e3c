import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { maxVariableBytes } from '../../../kernel/limits/processes.ts'

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
