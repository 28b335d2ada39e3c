import { load, type LoadResult } from './load.ts'
import { operations, type Operation } from './requests.ts'
import type { RunningService } from './running-service.ts'

export interface Measured extends LoadResult {
  readonly operation: Operation
  readonly connections: number
  readonly cpuMsEach: number | undefined
  readonly peakRssMb: number
}

/** A shared machine is slow for seconds at a time: each figure is the median of several passes. */
const passes = 3
const warmUpSeconds = 0.5

/** Measures every operation at every number of connections, each after a short warm-up. */
export async function measureOperations(
  service: RunningService,
  known: { records: number; cursor: string },
  connections: readonly number[],
  seconds: number,
): Promise<Measured[]> {
  const wanted = operations.flatMap((operation) => connections.map((count) => ({ operation, count })))
  const taken = wanted.map((): Measured[] => [])
  for (let pass = 0; pass < passes; pass += 1) {
    for (const [index, { operation, count }] of wanted.entries())
      taken[index]?.push(await measure(service, known, operation, count, seconds / passes))
  }
  return taken.map(medianOf)
}

async function measure(
  service: RunningService,
  known: { records: number; cursor: string },
  operation: Operation,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const requestAt = (n: number) => operation.requestAt(n, known)
  const leavesWork = operation.requestAt(0, known).method !== 'GET'
  await load(service, { connections, seconds: warmUpSeconds }, requestAt)
  if (leavesWork) await service.waitUntilIdle()
  service.takePeakRssMb()
  const before = await service.usage()
  const result = await load(service, { connections, seconds }, requestAt)
  // Includes the work that follows the answers of writes.
  if (leavesWork) await service.waitUntilIdle()
  const after = await service.usage()
  return {
    ...result,
    operation,
    connections,
    cpuMsEach: before && after ? (after.cpuMs - before.cpuMs) / result.requests : undefined,
    peakRssMb: service.takePeakRssMb(),
  }
}

/** The median of each figure, the sum of the failures, the maximum of the memory. */
function medianOf(taken: readonly Measured[]): Measured {
  const median = (figure: (one: Measured) => number): number =>
    taken.map(figure).sort((a, b) => a - b)[Math.floor(taken.length / 2)] as number
  const [first] = taken as readonly [Measured, ...Measured[]]
  return {
    operation: first.operation,
    connections: first.connections,
    requests: median(({ requests }) => requests),
    perSecond: median(({ perSecond }) => perSecond),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
    cpuMsEach: first.cpuMsEach === undefined ? undefined : median(({ cpuMsEach }) => cpuMsEach as number),
    failed: taken.reduce((sum, { failed }) => sum + failed, 0),
    peakRssMb: Math.max(...taken.map(({ peakRssMb }) => peakRssMb)),
  }
}
