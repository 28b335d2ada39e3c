import { load, type LoadResult } from './load.ts'
import { operations, type Operation } from './requests.ts'
import type { RunningService } from './running-service.ts'

export interface Measured extends LoadResult {
  readonly operation: Operation
  readonly connections: number
  readonly cpuMsEach: number | undefined
  readonly peakRssMb: number
}

/** A machine shared with others is slow for seconds at a time: each figure is the middle one of so many passes over all of them. */
const passes = 3
const runUpSeconds = 0.5

/** Every operation at every number of connections, for so long in all, after short run-ups. */
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
  return taken.map(middleOf)
}

async function measure(
  service: RunningService,
  known: { records: number; cursor: string },
  operation: Operation,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const shot = (n: number) => operation.shot(n, known)
  const leavesWork = operation.shot(0, known).method !== 'GET'
  await load(service, { connections, seconds: runUpSeconds }, shot)
  if (leavesWork) await service.settled()
  service.takePeakRssMb()
  const before = await service.usage()
  const result = await load(service, { connections, seconds }, shot)
  // What a write costs after its answer is part of its price.
  if (leavesWork) await service.settled()
  const after = await service.usage()
  return {
    ...result,
    operation,
    connections,
    cpuMsEach: before && after ? (after.cpuMs - before.cpuMs) / result.requests : undefined,
    peakRssMb: service.takePeakRssMb(),
  }
}

/** Each figure by itself; what may never happen counts wherever it did. */
function middleOf(taken: readonly Measured[]): Measured {
  const middle = (figure: (one: Measured) => number): number =>
    taken.map(figure).sort((a, b) => a - b)[Math.floor(taken.length / 2)] as number
  const [first] = taken as readonly [Measured, ...Measured[]]
  return {
    operation: first.operation,
    connections: first.connections,
    requests: middle(({ requests }) => requests),
    perSecond: middle(({ perSecond }) => perSecond),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    cpuMsEach: first.cpuMsEach === undefined ? undefined : middle(({ cpuMsEach }) => cpuMsEach as number),
    failed: taken.reduce((sum, { failed }) => sum + failed, 0),
    peakRssMb: Math.max(...taken.map(({ peakRssMb }) => peakRssMb)),
  }
}
