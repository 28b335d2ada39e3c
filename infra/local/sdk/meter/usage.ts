/** What functions used of the cloud's services, in the quantities that AWS bills. */

export interface Usage {
  invocations: number
  /** On this machine, where calls to providers take microseconds. */
  durationMs: number
  /** By that duration, each invocation rounded up to a millisecond. */
  gbSeconds: number
  readUnits: number
  writeUnits: number
  /** By table (`<name>`) and index (`<name>/<index>`). */
  units: Record<string, Units>
  /** By `<service>.<operation>`, also the calls that an event source makes on behalf of its function. */
  operations: Record<string, OperationUsage>
  /** Billed requests by name of the queue. */
  queues: Record<string, number>
  /** Requests of HTTP API, and the bytes of their events and answers without response headers. */
  http: { requests: number; receivedBytes: number; sentBytes: number }
}

export interface Units {
  readUnits: number
  writeUnits: number
}

export interface OperationUsage extends Units {
  /** Billed requests: SQS and HTTP API bill a call by steps of its size. */
  requests: number
  /** What DynamoDB measured, the bodies of messages, or the content of objects. */
  bytes: number
}

export const noUsage = (): Usage => ({
  invocations: 0,
  durationMs: 0,
  gbSeconds: 0,
  readUnits: 0,
  writeUnits: 0,
  units: {},
  operations: {},
  queues: {},
  http: { requests: 0, receivedBytes: 0, sentBytes: 0 },
})

/** The sum of several usages. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const sum = noUsage()
  for (const usage of usages) addAll(sum as unknown as Counters, usage as unknown as Counters)
  return sum
}

/** A usage is a tree of numbers. */
interface Counters {
  [name: string]: number | Counters
}

function addAll(sum: Counters, added: Counters): void {
  for (const [name, value] of Object.entries(added)) {
    if (typeof value === 'number') sum[name] = ((sum[name] as number | undefined) ?? 0) + value
    else addAll((sum[name] ??= {}) as Counters, value)
  }
}
