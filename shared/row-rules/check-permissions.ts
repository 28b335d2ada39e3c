import type { FieldErrors } from '../kernel/faults.ts'
import { didYouMean, listed } from '../kernel/text/did-you-mean.ts'

const actions = ['read', 'create', 'update', 'delete', 'comment', '*']
/** What permissions may name besides tables, with the actions that mean something there. */
const otherObjects: Readonly<Record<string, readonly string[]>> = {
  users: ['read', '*'],
  incoming_messages: ['read', 'create', '*'],
}

/**
 * The errors of permissions by path, `permissions.2`: each must name an action, and a table that exists. `before`: the
 * permissions that a role has already, whose table may be gone since.
 */
export function checkPermissions(
  tables: ReadonlyMap<string, unknown>,
  permissions: readonly string[],
  path: string,
  before: readonly string[],
): FieldErrors {
  const errors: FieldErrors = {}
  for (const [index, permission] of permissions.entries()) {
    if (before.includes(permission)) continue
    const problem = problemOf(permission, tables)
    const at = `${path}.${index}`
    if (problem !== undefined) errors[at] = [`The selected ${at.replace(/^\d+\./, '')} is invalid: ${problem}`]
  }
  return errors
}

function problemOf(permission: string, tables: ReadonlyMap<string, unknown>): string | undefined {
  const [name = '', action] = permission.split('.')
  if (action === undefined || name === '*') return undefined
  const others = Object.hasOwn(otherObjects, name) ? otherObjects[name] : undefined
  if (!tables.has(name) && !others)
    return `there is no table ${name}.${meant([...tables.keys(), ...Object.keys(otherObjects)], name, action)}`
  const allowed = tables.has(name) ? actions : (others ?? [])
  if (allowed.includes(action)) return undefined
  return `there is no action ${action} on ${name}.${didYouMean(action, allowed) || ` Actions are ${listed(allowed)}.`}`
}

/** The whole permission, which is easier to copy than a table. */
const meant = (names: readonly string[], name: string, action: string): string =>
  didYouMean(name, names).replace(/\?$/, `.${action}?`)
