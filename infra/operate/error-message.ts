import { Fault, Invalid } from '../../shared/kernel/failures/faults.ts'

/** The message to print for an error: one line per problem. Wrong arguments are followed by the usage. */
export function errorMessage(error: unknown, usage: string): string {
  if (error instanceof Invalid) return Object.values(error.errors).flat().join('\n')
  if (error instanceof Fault || error instanceof Error)
    return `${error.message}${(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') ? `\n${usage}` : ''}`
  return String(error)
}
