import type { TableAction } from '../permissions.ts'
import { Forbidden } from './faults.ts'

const maxNameCharacters = 80

/** The refusal of somebody whose roles lack `<on>.<action>`. `on` may be any text: the path of a request names it. */
export function permissionMissing(on: string, action: TableAction | 'share' | 'message'): Forbidden {
  const name = on.length > maxNameCharacters ? `${on.slice(0, maxNameCharacters)}…` : on
  return new Forbidden(
    'forbidden',
    `You need the permission ${name.toWellFormed()}.${action}, and none of your roles has it. Ask an administrator.`,
  )
}
