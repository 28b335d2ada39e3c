import type { Usage } from '../../local/sdk/meter/usage.ts'
import { assumptions } from './assumptions.ts'
import type { Quantities } from './bill.ts'
import type { Deployment } from './deployment.ts'
import type { Measurement } from './measured-service.ts'

const gb = 2 ** 30

/** What each function of a measurement used, by its id, in the amounts that AWS bills. */
export function quantitiesOf(
  { reading, roundTrips, logs }: Measurement,
  { functions, queues }: Pick<Deployment, 'functions' | 'queues'>,
): ReadonlyMap<string, Quantities> {
  const fifo = new Set(queues.filter(({ isFifo }) => isFifo).map(({ id }) => id))
  const of = new Map<string, Quantities>()
  for (const { id, memoryMb } of functions) {
    const usage = reading.functions[id]
    if (!usage) continue
    const { events, bytes } = logs.get(id) ?? { events: 0, bytes: 0 }
    const logGb = logBytesOf(usage, events, bytes) / gb
    const requestsTo = (isFifo: boolean): number =>
      Object.entries(usage.queues).reduce((sum, [queue, count]) => sum + (fifo.has(queue) === isFifo ? count : 0), 0)
    of.set(id, {
      writeUnits: usage.writeUnits,
      readUnits: usage.readUnits,
      streamReads: requests(usage, /^dynamodbstreams\./),
      invocations: usage.invocations,
      gbSeconds: (deployedMs(usage, memoryMb, roundTrips.get(id) ?? 0) / 1000) * (memoryMb / 1024),
      httpRequests: usage.http.requests,
      sqsRequests: requestsTo(false),
      fifoRequests: requestsTo(true),
      keyRequests: requests(usage, /^kms\./),
      s3Reads: requests(usage, /^s3\.(Get|Head)/),
      s3Writes: requests(usage, /^s3\.(?!Get|Head|Delete|Abort)/),
      logGb,
      // CloudWatch compresses what it keeps, so this is too much; logs are kept for 30 days.
      logGbMonths: logGb,
      outGb: (usage.http.sentBytes + usage.http.requests * assumptions.responseHeaderBytes) / gb,
    })
  }
  return of
}

/**
 * The time in a deployment: what was measured here, stretched to the function's share of a CPU, and the time of the
 * round trips, which take microseconds here. Cold starts are left out.
 */
const deployedMs = ({ durationMs }: Usage, memoryMb: number, roundTrips: number): number =>
  durationMs * Math.max(1, assumptions.memoryOfOneCpuMb / memoryMb) + roundTrips * assumptions.roundTripMs

const logBytesOf = ({ http }: Usage, events: number, bytes: number): number =>
  bytes + (events + http.requests) * assumptions.logEventBytes + http.requests * assumptions.accessLogBytes

const requests = ({ operations }: Usage, name: RegExp): number =>
  Object.entries(operations).reduce((sum, [operation, used]) => sum + (name.test(operation) ? used.requests : 0), 0)
