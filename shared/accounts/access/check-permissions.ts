import { byName, own } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import { tableActions } from '../../kernel/permissions.ts'
import { didYouMean, listed, nearestWord } from '../../kernel/text/did-you-mean.ts'

const actions: readonly string[] = [...tableActions, '*']
/** What permissions may name besides tables, with the actions that mean something there. */
const otherObjects: Readonly<Record<string, readonly string[]>> = {
  users: ['read', '*'],
  incoming_messages: ['read', 'create', 'update', '*'],
  views: ['share', '*'],
  processes: ['message', '*'],
}

/**
 * The errors of permissions by path, `permissions.2`: each must name an action. A table that does not exist is refused when
 * its name is like that of another, as a typo is; else it may be created later. `before`: the permissions that a role has
 * already, whose table may be gone since.
 */
export function checkPermissions(
  tables: ReadonlyMap<string, unknown>,
  permissions: readonly string[],
  path: string,
  before: readonly string[],
): FieldErrors {
  const errors: FieldErrors = byName()
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
  const others = own(otherObjects, name)
  if (!tables.has(name) && !others) {
    const meant = nearestWord(name, [...tables.keys(), ...Object.keys(otherObjects)])
    // The whole permission, which is easier to copy than a table.
    if (meant !== undefined) return `there is no table ${name}. Did you mean ${meant}.${action}?`
  }
  const allowed = tables.has(name) ? [...new Set([...actions, ...(others ?? [])])] : (others ?? actions)
  if (allowed.includes(action)) return undefined
  return `there is no action ${action} on ${name}.${didYouMean(action, allowed) || ` Actions are ${listed(allowed)}.`}`
}

/**
 * Warnings for permissions on tables that do not exist, and are not like one that does: they may be created later.
 * `path`: as in `checkPermissions`.
 */
export const permissionWarnings = (
  tables: ReadonlySet<string>,
  permissions: readonly string[],
  path: string,
): Warning[] =>
  permissions.flatMap((permission, index) => {
    const [name = '', action] = permission.split('.')
    return action === undefined || name === '*' || tables.has(name) || own(otherObjects, name)
      ? []
      : [
          {
            path: `${path}.${index}`,
            code: 'unknown_table',
            message: `The permission ${permission}: there is no table ${name}.`,
          },
        ]
  })
