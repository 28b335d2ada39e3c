/** An event source mapping of the template, and what queue and stream sources share. */

export interface EventSourceDefinition {
  readonly id: string
  readonly functionName: string
  readonly functionArn: string
  readonly sourceArn: string
  readonly batchSize: number
  readonly batchingWindowMs: number
  /** FilterCriteria, as JSON text. */
  readonly patterns: readonly string[]
  readonly startingPosition: string
  readonly bisects: boolean
  readonly reportsItemFailures: boolean
  readonly maxRetries: number
  readonly maxAgeMs: number
  readonly maxConcurrency: number
  readonly onFailureArn?: string
}

export interface EventSource {
  /** True while there is work the function has not received or not finished. */
  readonly busy: boolean
  /** Takes no new work; resolves when the work in flight has ended. */
  stop(): Promise<void>
}

/** Invokes the function, which may change the event. */
export type Deliver = (functionName: string, event: object) => Promise<unknown>

/** Reads a mapping's properties, with AWS's defaults. */
export function readEventSource(
  id: string,
  properties: Readonly<Record<string, any>>,
  functionArn: string,
): EventSourceDefinition {
  const sourceArn = String(properties['EventSourceArn'])
  const isQueue = sourceArn.includes(':sqs:')
  return {
    id,
    functionName: functionArn.slice(functionArn.lastIndexOf(':') + 1),
    functionArn,
    sourceArn,
    batchSize: Number(properties['BatchSize'] ?? (isQueue ? 10 : 100)),
    batchingWindowMs: Number(properties['MaximumBatchingWindowInSeconds'] ?? 0) * 1000,
    patterns: (properties['FilterCriteria']?.Filters ?? []).map(({ Pattern }: { Pattern: unknown }) =>
      typeof Pattern === 'string' ? Pattern : JSON.stringify(Pattern),
    ),
    startingPosition: String(properties['StartingPosition'] ?? 'TRIM_HORIZON'),
    bisects: String(properties['BisectBatchOnFunctionError'] ?? false) === 'true',
    reportsItemFailures: (properties['FunctionResponseTypes'] ?? []).includes('ReportBatchItemFailures'),
    maxRetries: unlimited(properties['MaximumRetryAttempts']),
    maxAgeMs: unlimited(properties['MaximumRecordAgeInSeconds']) * 1000,
    maxConcurrency: Number(properties['ScalingConfig']?.MaximumConcurrency ?? 5),
    onFailureArn: properties['DestinationConfig']?.OnFailure?.Destination,
  }
}

/**
 * The failed items a function reports for its batch, or `all` when it reports unknown identifiers: Lambda then
 * retries the whole batch.
 */
export function itemFailures(answer: unknown, known: ReadonlySet<string>): ReadonlySet<string> | 'all' {
  const failures = (answer as { batchItemFailures?: unknown } | null | undefined)?.batchItemFailures
  if (failures === undefined || failures === null) return new Set()
  if (!Array.isArray(failures)) return 'all'
  const identifiers = failures.map((failure) => failure?.itemIdentifier)
  return identifiers.every((identifier) => known.has(identifier)) ? new Set(identifiers) : 'all'
}

/** How failed batches are retried. */
export interface Retries {
  /** Before the next attempt at a batch of a stream. */
  readonly streamDelayMs: (attempt: number) => number
  /** When a failed message of a queue comes back; without it, after its visibility timeout. */
  readonly queueDelayMs?: (receives: number) => number
}

/** Exponential, from 1 s to 1 min; a queue keeps its own time. */
export const awsRetries: Retries = { streamDelayMs: (attempt) => Math.min(1_000 * 2 ** Math.min(attempt, 10), 60_000) }

/** Back-off before the next attempt: exponential, far shorter than in AWS. */
const retryDelayMs = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 10), 10_000)

export const fastRetries: Retries = { streamDelayMs: retryDelayMs, queueDelayMs: retryDelayMs }

const unlimited = (value: unknown): number => (value === undefined || Number(value) === -1 ? Infinity : Number(value))
