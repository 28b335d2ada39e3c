import { explainedCodes } from '../../../shared/platform/http/openapi/explained-codes.ts'

const statusOf = new Map<unknown, number>(explainedCodes.map(({ code, status }) => [code, status]))

/**
 * Tells what is wrong with an answer as a failure: it needs the envelope and a documented code of its status (contract
 * §1).
 */
export function failureProblem(status: number, body: unknown): string | undefined {
  const { success, code, message } = (body ?? {}) as Record<string, unknown>
  if (status < 300 || (status < 400 && body === undefined))
    return success === false ? `${status} says that it failed` : undefined
  if (success !== false || typeof message !== 'string') return `${status} is not in the failure envelope`
  if (!statusOf.has(code)) return `${status} carries ${String(code)}, which is no documented code`
  return statusOf.get(code) === status
    ? undefined
    : `${status} carries ${String(code)}, a code of ${statusOf.get(code)}`
}
