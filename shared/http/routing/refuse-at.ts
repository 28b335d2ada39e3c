import { Invalid, type FieldErrors } from '../../kernel/faults.ts'

/** Throws Invalid for what stands at a path in a body; the whole body when the path is empty. */
export function refuseAt(path: readonly (string | number)[], problem: string): never {
  const name = path.slice(-40).join('.').slice(0, 200).toWellFormed() || 'body'
  const errors: FieldErrors = {}
  Object.defineProperty(errors, name, { value: [`The ${name} ${problem}`], enumerable: true })
  throw new Invalid(errors)
}
