import { byName } from '../../../../kernel/collections/own-members.ts'
import { Invalid, type FieldErrors } from '../../../../kernel/failures/faults.ts'

/** Throws Invalid for what stands at a path in a body; the whole body when the path is empty. */
export function refuseAt(path: readonly (string | number)[], problem: string): never {
  const name = path.slice(-40).join('.').slice(0, 200).toWellFormed() || 'body'
  const errors: FieldErrors = byName()
  errors[name] = [`The ${name} ${problem}`]
  throw new Invalid(errors)
}
