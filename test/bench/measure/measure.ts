import { load, type BenchRequest, type LoadOptions, type LoadResult } from '../world/load.ts'
import type { RunningService } from '../world/running-service.ts'

export interface Measured extends LoadResult {
  readonly connections: number
  /** Of the service's process, for each request; undefined where the system does not report it. */
  readonly cpuMsEach: number | undefined
  readonly peakRssMb: number
}

/** What a load sends. Numbers are never used twice, so that no two requests need be alike. */
export interface Load {
  readonly requestAt: (n: number) => BenchRequest
  readonly learn?: (n: number, answer: any) => void
  /** Work follows the answers, which is measured with them. */
  readonly leavesWork?: boolean
}

/** A shared machine is slow for seconds at a time: each figure is the median of several passes. */
export const passes = 3
const warmUpSeconds = 0.3
let usedNumbers = 0

/** Sends a load without measuring the service. */
export async function send(
  service: RunningService,
  options: LoadOptions,
  { requestAt, learn }: Load,
): Promise<LoadResult> {
  const first = usedNumbers
  // Loads at the same time must not share numbers.
  usedNumbers += 10_000_000
  const result = await load(
    service,
    options,
    (n) => requestAt(first + n),
    learn && ((n, answer) => learn(first + n, answer)),
  )
  return result
}

/** Measures a load, in the first pass after a short warm-up. */
export async function measure(
  service: RunningService,
  options: LoadOptions,
  pass: number,
  sent: Load,
): Promise<Measured> {
  if (pass === 0) {
    await send(service, { ...options, seconds: warmUpSeconds }, sent)
    if (sent.leavesWork) await service.waitUntilIdle()
  }
  service.takePeakRssMb()
  const before = await service.usage()
  const result = await send(service, options, sent)
  if (sent.leavesWork) await service.waitUntilIdle()
  const after = await service.usage()
  return {
    ...result,
    connections: options.connections,
    cpuMsEach: before && after ? (after.cpuMs - before.cpuMs) / result.requests : undefined,
    peakRssMb: Math.max(service.takePeakRssMb(), after?.rssMb ?? 0),
  }
}

/** Measures each of several things once in every pass; the median of each figure, in the order of the things. */
export async function inPasses<T>(
  wanted: readonly T[],
  measureOne: (one: T, pass: number) => Promise<Measured>,
): Promise<Measured[]> {
  const taken = wanted.map((): Measured[] => [])
  for (let pass = 0; pass < passes; pass += 1) {
    for (const [index, one] of wanted.entries()) taken[index]?.push(await measureOne(one, pass))
  }
  return taken.map(medianOf)
}

/** The median of each figure, the sum of the failures, the maximum of the memory. */
function medianOf(taken: readonly Measured[]): Measured {
  const [first] = taken as readonly [Measured, ...Measured[]]
  return {
    connections: first.connections,
    requests: median(taken.map(({ requests }) => requests)),
    perSecond: median(taken.map(({ perSecond }) => perSecond)),
    p50Ms: median(taken.map(({ p50Ms }) => p50Ms)),
    p95Ms: median(taken.map(({ p95Ms }) => p95Ms)),
    p99Ms: median(taken.map(({ p99Ms }) => p99Ms)),
    cpuMsEach: first.cpuMsEach === undefined ? undefined : median(taken.map(({ cpuMsEach }) => cpuMsEach as number)),
    failed: taken.reduce((sum, { failed }) => sum + failed, 0),
    peakRssMb: Math.max(...taken.map(({ peakRssMb }) => peakRssMb)),
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
