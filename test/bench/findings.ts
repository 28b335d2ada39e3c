import type { FirstList } from './lists/first-list.ts'
import type { Fairness } from './measure/measure-fairness.ts'
import type { MeasuredList } from './measure/measure-lists.ts'
import type { MeasuredOperation } from './measure/measure-operations.ts'
import type { MeasuredTenants } from './measure/measure-tenants.ts'
import type { ImportRun } from './world/import-run.ts'
import type { HighestMemory } from './world/running-service.ts'

/** The results of one benchmark run. */
export interface Findings {
  readonly records: number
  readonly imported: ImportRun
  readonly lists: readonly MeasuredList[]
  readonly fairness: Fairness | undefined
  /** The operations on the table of `records`. */
  readonly large: readonly MeasuredOperation[]
  /** The same on a table that holds few records. */
  readonly small: { readonly records: number; readonly measured: readonly MeasuredOperation[] }
  /** Answers that were wrong after all writes. */
  readonly wrongAfterWrites: readonly string[]
  readonly firstLists: readonly FirstList[]
  readonly tenants: MeasuredTenants | undefined
  readonly roundTrips: ReadonlyMap<string, number>
  /** The most memory of a service at any time of the run. */
  readonly memory: HighestMemory
}

/** Every answer that was wrong. */
export function wrongAnswers({ lists, wrongAfterWrites, tenants }: Findings): string[] {
  const before = lists.flatMap(({ verdict }) => (verdict.kind === 'wrong' ? [verdict.message] : []))
  return [...before, ...wrongAfterWrites.map((one) => `after the writes: ${one}`), ...(tenants?.wrong ?? [])]
}

/** Requests that failed. */
export const failedRequests = ({ lists, large, small, tenants }: Findings): number =>
  [
    ...lists.flatMap(({ alone, crowd, besideSome, besideMany }) => [alone, crowd, besideSome, besideMany]),
    ...large,
    ...small.measured,
    tenants,
  ].reduce((sum, one) => sum + (one?.failed ?? 0), 0)
