import { Fault, Invalid } from '../../shared/kernel/faults.ts'

/** One line per problem; what is no Fault is told by its message, as the operator's own surroundings cause it. */
export function errorMessage(error: unknown, usage: string): string {
  if (error instanceof Invalid) return Object.values(error.errors).flat().join('\n')
  if (error instanceof Fault || error instanceof Error)
    return `${error.message}${(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') ? `\n${usage}` : ''}`
  return String(error)
}
