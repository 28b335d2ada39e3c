import type { ProcessStatus } from '../../api/operations.ts'

/** What needs somebody comes first. */
export const statuses = [
  'incident',
  'running',
  'suspended',
  'completed',
  'cancelled',
] as const satisfies ProcessStatus[]

/** What the address of the processes says. */
export interface OperationsSearch {
  /** Those that failed when left out. */
  readonly status?: ProcessStatus
  /** The id of the template. */
  readonly template?: number
  /** The job that was started last. */
  readonly job?: number
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

/** Reads an address; what is not understood is left out. */
export function readOperationsSearch({ status, template, job }: Record<string, unknown>): OperationsSearch {
  const known = statuses.find((one) => one === status)
  return {
    ...(known && known !== 'incident' && { status: known }),
    ...(isId(template) && { template }),
    ...(isId(job) && { job }),
  }
}
