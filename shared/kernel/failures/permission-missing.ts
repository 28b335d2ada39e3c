import type { TableAction } from '../permissions.ts'
import type { Caller } from '../principal.ts'
import { Forbidden } from './faults.ts'
import { say } from './sentence.ts'

const maxNameCharacters = 80

/** The refusal of somebody whose roles lack `<on>.<action>`. `on` may be any text: the path of a request names it. */
export function permissionMissing(on: string, action: TableAction | 'share' | 'message'): Forbidden {
  const name = on.length > maxNameCharacters ? `${on.slice(0, maxNameCharacters)}…` : on
  return new Forbidden('forbidden', say('permission_missing', { permission: `${name.toWellFormed()}.${action}` }))
}

/** Throws Forbidden for an API key: what it asks for would give its holder the account or the rights of a person. */
export function requirePerson({ tokenKind }: Pick<Caller, 'tokenKind'>, action = 'do this'): void {
  if (tokenKind === 'api_key')
    throw new Forbidden(
      'person_required',
      action === 'do this'
        ? 'An API key may not do this.'
        : `An API key may not ${action}: an administrator who is signed in can.`,
    )
}
