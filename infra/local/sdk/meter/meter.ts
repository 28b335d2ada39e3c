/** Counts what functions use while it runs. Nothing is measured while it does not. */
import type { Charge } from '../../dynamodb/capacity/charges.ts'
import { noUsage, sumUsage } from './usage.ts'
import type { OperationUsage, Usage } from './usage.ts'

/** A call to a provider. */
export interface MeteredCall {
  readonly functionName: string
  readonly service: string
  readonly operation: string
  readonly charges: readonly Charge[]
  readonly bytes: number
  /** The queue of an SQS call. */
  readonly queue?: string
}

export interface MeterReading {
  /** By function name; calls outside functions (tests, tools) are under ''. */
  readonly functions: Readonly<Record<string, Usage>>
  readonly total: Usage
}

export interface Meter {
  readonly running: boolean
  /** Starts at zero. */
  start(): void
  /**
   * Stops and returns what was used since the start. Work in flight is left out: wait until the cloud is idle to
   * include the consumers of queues and streams.
   */
  stop(): MeterReading
  countCall(call: MeteredCall): void
  countInvocation(functionName: string, durationMs: number, memoryMb: number): void
  /** A request of HTTP API and its answer. */
  countExchange(functionName: string, receivedBytes: number, sent: string | Buffer): void
  /** Messages that Lambda's poller received for a function, and deleted. */
  countMessages(functionName: string, queue: string, bodies: readonly string[]): void
  /** A batch that Lambda's poller read from a stream for a function. */
  countStreamRead(functionName: string, bytes: number): void
}

/** Both bill a request for each step of this size (pricing pages of SQS and of API Gateway, "metered in"). */
const messageStepBytes = 64 * 1024
const exchangeStepBytes = 512 * 1024
/** Lambda receives and deletes ten messages in a call at most. */
const messagesPerCall = 10

export function openMeter(): Meter {
  let usages = new Map<string, Usage>()
  let running = false

  function usageOf(functionName: string): Usage {
    const known = usages.get(functionName) ?? noUsage()
    usages.set(functionName, known)
    return known
  }

  function countRequests(usage: Usage, name: string, requests: number, bytes: number, queue?: string): OperationUsage {
    const operation = (usage.operations[name] ??= { requests: 0, bytes: 0, readUnits: 0, writeUnits: 0 })
    operation.requests += requests
    operation.bytes += bytes
    if (queue !== undefined) usage.queues[queue] = (usage.queues[queue] ?? 0) + requests
    return operation
  }

  return {
    get running() {
      return running
    },
    start() {
      usages = new Map()
      running = true
    },
    stop() {
      running = false
      return { functions: Object.fromEntries(usages), total: sumUsage([...usages.values()]) }
    },
    countCall({ functionName, service, operation, charges, bytes, queue }) {
      const usage = usageOf(functionName)
      const requests = service === 'sqs' ? steps(bytes, messageStepBytes) : 1
      const counted = countRequests(usage, `${service}.${operation}`, requests, bytes, queue)
      for (const { kind, table, index, units } of charges) {
        const target = index === undefined ? table : `${table}/${index}`
        const ofTarget = (usage.units[target] ??= { readUnits: 0, writeUnits: 0 })
        for (const counter of [usage, counted, ofTarget]) counter[kind === 'read' ? 'readUnits' : 'writeUnits'] += units
      }
    },
    countInvocation(functionName, durationMs, memoryMb) {
      const usage = usageOf(functionName)
      usage.invocations += 1
      usage.durationMs += durationMs
      usage.gbSeconds += (Math.ceil(durationMs) / 1000) * (memoryMb / 1024)
    },
    countExchange(functionName, receivedBytes, sent) {
      if (!running) return
      const sentBytes = Buffer.byteLength(sent)
      const { http } = usageOf(functionName)
      http.requests += Math.max(steps(receivedBytes, exchangeStepBytes), steps(sentBytes, exchangeStepBytes))
      http.receivedBytes += receivedBytes
      http.sentBytes += sentBytes
    },
    countMessages(functionName, queue, bodies) {
      const usage = usageOf(functionName)
      const bytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0)
      const calls = steps(bodies.length, messagesPerCall)
      const receives = Math.max(calls, steps(bytes, messageStepBytes))
      countRequests(usage, 'sqs.ReceiveMessage', receives, bytes, queue)
      countRequests(usage, 'sqs.DeleteMessageBatch', calls, 0, queue)
    },
    countStreamRead(functionName, bytes) {
      countRequests(usageOf(functionName), 'dynamodbstreams.GetRecords', 1, bytes)
    },
  }
}

const steps = (amount: number, step: number): number => Math.max(1, Math.ceil(amount / step))
