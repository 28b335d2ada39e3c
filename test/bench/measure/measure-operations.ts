import { operations, type Operation } from '../areas/operations.ts'
import type { RunningService } from '../world/running-service.ts'
import type { World } from '../world/world.ts'
import { inPasses, measure, type Measured } from './measure.ts'

export interface MeasuredOperation extends Measured {
  readonly operation: Operation
}

/** Measures every operation at every number of connections. */
export async function measureOperations(
  service: RunningService,
  world: World,
  connections: readonly number[],
  seconds: number,
): Promise<MeasuredOperation[]> {
  const wanted = operations.flatMap((operation) => connections.map((count) => ({ operation, count })))
  const measured = await inPasses(wanted, ({ operation, count }, pass) => {
    const requestAt = (n: number) => operation.requestAt(n, world)
    const learn = operation.learn && ((n: number, answer: any) => operation.learn?.(world, n, answer))
    const leavesWork = requestAt(0).method !== 'GET'
    return measure(service, { connections: count, seconds }, pass, { requestAt, leavesWork, ...(learn && { learn }) })
  })
  return wanted.map(({ operation }, index) => ({ ...(measured[index] as Measured), operation }))
}
