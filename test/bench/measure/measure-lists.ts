import { requestOf, type CheckedQuery } from '../lists/checked-query.ts'
import type { RunningService } from '../world/running-service.ts'
import type { World } from '../world/world.ts'
import { measureBesideWriters, type MixedFigure } from './measure-beside-writers.ts'
import { inPasses, measure, type Measured } from './measure.ts'

export interface MeasuredList extends CheckedQuery {
  /** Undefined for a query that was refused. */
  readonly alone?: Measured
  readonly crowd?: Measured
  /** With 50 changes a second beside it, and with as many as are answered. */
  readonly besideSome?: MixedFigure
  readonly besideMany?: MixedFigure
}

/** Measures every list alone, at 16 connections, and at 16 connections with writers beside them. */
export async function measureLists(
  service: RunningService,
  checked: readonly CheckedQuery[],
  world: World,
  seconds: number,
): Promise<MeasuredList[]> {
  const measurable = checked.filter(({ verdict }) => verdict.kind !== 'refused')
  const at = (connections: number) =>
    inPasses(measurable, (one, pass) =>
      measure(service, { connections, seconds }, pass, { requestAt: requestOf(one, world) }),
    )
  const [alone, crowd] = [await at(1), await at(16)]
  const [some, many] = [
    await measureBesideWriters(service, measurable, world, seconds, { connections: 4, perSecond: 50 }),
    await measureBesideWriters(service, measurable, world, seconds, { connections: 4 }),
  ]
  return checked.map((one) => {
    const index = measurable.indexOf(one)
    if (index < 0) return one
    return {
      ...one,
      ...(alone[index] && { alone: alone[index] }),
      ...(crowd[index] && { crowd: crowd[index] }),
      ...(some[index] && { besideSome: some[index] }),
      ...(many[index] && { besideMany: many[index] }),
    }
  })
}
