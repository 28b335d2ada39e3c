import { Invalid } from '../../shared/kernel/failures/faults.ts'

/** The message to print for an error: one line per problem. */
export function errorMessage(error: unknown): string {
  if (error instanceof Invalid) return Object.values(error.errors).flat().join('\n')
  return error instanceof Error ? error.message : String(error)
}
