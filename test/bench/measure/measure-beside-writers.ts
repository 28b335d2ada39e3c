import { requestOf, type CheckedQuery } from '../lists/checked-query.ts'
import type { LoadResult } from '../world/load.ts'
import { changedFields } from '../world/request-record.ts'
import type { RunningService } from '../world/running-service.ts'
import type { World } from '../world/world.ts'
import { median, passes, send, type Load } from './measure.ts'

/** Lists a second at 16 connections, and the changes a second beside them. */
export interface MixedFigure {
  readonly lists: number
  readonly writes: number
  readonly failed: number
}

/** Changes records, in an order that comes to each of them. */
function changes(world: World): Load {
  const idAt = (n: number): number => 1 + ((n * 7919) % world.records)
  return {
    requestAt: (n) => ({
      method: 'PATCH',
      path: `/api/e/${world.table}/${idAt(n)}`,
      body: changedFields(idAt(n), n),
    }),
    learn: (n) => {
      const row = world.model.get(idAt(n))
      if (row) world.model.set(row.id, { ...row, ...changedFields(row.id, n) })
    },
  }
}

/** Measures every list at 16 connections while others change records. */
export async function measureBesideWriters(
  service: RunningService,
  measurable: readonly CheckedQuery[],
  world: World,
  seconds: number,
  writers: { connections: number; perSecond?: number },
): Promise<MixedFigure[]> {
  const taken = measurable.map((): [LoadResult, LoadResult][] => [])
  for (let pass = 0; pass < passes; pass += 1) {
    for (const [index, one] of measurable.entries()) {
      taken[index]?.push(
        await Promise.all([
          send(service, { connections: 16, seconds }, { requestAt: requestOf(one, world) }),
          send(service, { ...writers, seconds }, changes(world)),
        ]),
      )
    }
    await service.waitUntilIdle()
  }
  return taken.map((results) => ({
    lists: median(results.map(([lists]) => lists.perSecond)),
    writes: median(results.map(([, writes]) => writes.perSecond)),
    failed: results.flat().reduce((sum, { failed }) => sum + failed, 0),
  }))
}
