import { Fault, NotFound } from '../../kernel/failures/faults.ts'
import { publicTable } from '../../kernel/table-names.ts'
import { didYouMean, shown } from '../../kernel/text/did-you-mean.ts'
import { InvalidApiCall } from './invalid-api-call.ts'
import type { MethodAccess } from './methods/method.ts'
import { apiMethods, methodGroups } from './methods/registry.ts'

/** What one run may access through `$api`. Made per run, so that a worker never keeps the access of a tenant. */
export interface ScriptApiOptions extends Omit<MethodAccess, 'report' | 'next'> {
  /** False in before hooks: their record is not stored yet and may never be. */
  readonly mayWrite: boolean
}

export interface ScriptApi {
  call(method: string, args: readonly unknown[]): Promise<unknown>
  /** Why notifications were not sent; for the run log. */
  readonly problems: readonly string[]
  /** The first error of the service itself, not of the script: the operation must fail with it. */
  readonly defect: unknown
}

/**
 * The methods of `$api` that need the service. A refused call throws a Fault with a message for the script's author.
 */
export function scriptApi({ mayWrite, ...ports }: ScriptApiOptions): ScriptApi {
  const problems: string[] = []
  let defect: unknown
  let calls = 0
  const access: MethodAccess = { ...ports, report: (problem) => problems.push(problem), next: () => (calls += 1) }

  async function answer(name: string, args: readonly unknown[]): Promise<unknown> {
    const method = apiMethods.get(name)
    if (!method) {
      const names = methodGroups.flat().map((known) => known.name)
      throw new InvalidApiCall(`There is no $api.${shown(name)}.${didYouMean(name, names)}`)
    }
    if (method.writes && !mayWrite)
      throw new InvalidApiCall(
        `$api.${name} may not be used in a before hook: the record is not stored yet. Use an after hook.`,
      )
    return method.call(access, args)
  }

  return {
    problems,
    get defect() {
      return defect
    },
    async call(method, args) {
      try {
        return await answer(method, args)
      } catch (error) {
        if (error instanceof Fault) throw withNames(error, (name) => publicTable(ports.source.tenant, name))
        defect ??= error
        throw error
      }
    },
  }
}

/** A script may name what it likes; a message repeats no more of it. */
const maxNameCharacters = 80

/** Adds to "not found" which table or record was not found. */
function withNames(fault: Fault, called: (stored: string) => string): Fault {
  if (!(fault instanceof NotFound)) return fault
  const { model: named, id: record } = fault.subject
  if (named === undefined) return fault
  const name = called(String(named))
  const table = name.length > maxNameCharacters ? `${name.slice(0, maxNameCharacters)}…` : name
  return record === undefined
    ? fault.code === 'table_not_found'
      ? fault
      : new Fault(fault.code, `There is no table ${table}.`)
    : new Fault(fault.code, `There is no record ${String(record)} in ${table}.`)
}
