import { requestOf, type CheckedQuery } from '../lists/checked-query.ts'
import type { LoadResult } from '../world/load.ts'
import type { RunningService } from '../world/running-service.ts'
import type { World } from '../world/world.ts'
import { median, passes, send } from './measure.ts'

/** How long a get takes while sixteen connections ask for heavy lists. */
export interface Fairness {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly listsPerSecond: number
}

export async function measureFairness(
  service: RunningService,
  checked: readonly CheckedQuery[],
  world: World,
  seconds: number,
): Promise<Fairness | undefined> {
  const heavy = checked.filter(({ query, verdict }) => query.isHeavy && verdict.kind !== 'refused')
  if (heavy.length === 0) return undefined
  const lists = heavy.map((one) => requestOf(one, world))
  const taken: [LoadResult, LoadResult][] = []
  for (let pass = 0; pass < passes; pass += 1) {
    taken.push(
      await Promise.all([
        send(
          service,
          { connections: 1, seconds },
          { requestAt: (n) => ({ method: 'GET', path: `/api/e/${world.table}/${1 + (n % world.records)}` }) },
        ),
        send(
          service,
          { connections: 16, seconds },
          { requestAt: (n) => (lists[n % lists.length] as (typeof lists)[0])(n) },
        ),
      ]),
    )
  }
  return {
    p50Ms: median(taken.map(([gets]) => gets.p50Ms)),
    p99Ms: median(taken.map(([gets]) => gets.p99Ms)),
    listsPerSecond: median(taken.map(([, answered]) => answered.perSecond)),
  }
}
