import type { Caller } from '../principal.ts'
import { Forbidden } from './faults.ts'

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
