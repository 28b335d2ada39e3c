/**
 * Delivers a table's changes to a function, in order, one batch at a time, at least once. A failing batch is bisected
 * and retried; after the last attempt it goes to the failure destination.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamRecord, Stream } from '../dynamodb/streams/stream-log.ts'
import type { Meter } from '../meter/meter.ts'
import type { Checkpoint } from './checkpoint.ts'
import { itemFailures, retryDelayMs } from './event-source.ts'
import type { Deliver, EventSource, EventSourceDefinition } from './event-source.ts'
import { compileFilters } from './filter-pattern.ts'

export interface StreamSourceOptions {
  readonly definition: EventSourceDefinition
  readonly stream: Stream
  readonly checkpoint: Checkpoint
  readonly deliver: Deliver
  readonly meter: Meter
  /** Stores a batch that was given up. The position advances once this resolved. */
  readonly storeFailedBatch: (batch: FailedBatch) => Promise<void>
  readonly now: () => number
  /** Called when reading or storing fails; both are retried. */
  readonly onError: (error: unknown) => void
}

export interface FailedBatch {
  readonly definition: EventSourceDefinition
  readonly records: readonly StreamRecord[]
  readonly attempts: number
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded'
  readonly error: unknown
}

const readAtOnce = 100
/** Lambda's limit on an event. Records are measured as DynamoDB measures them. */
const maxEventBytes = 6 * 1024 * 1024

interface Batch {
  readonly records: readonly StreamRecord[]
  readonly attempts: number
}

export function openStreamSource({
  definition,
  stream,
  checkpoint,
  deliver,
  meter,
  storeFailedBatch,
  now,
  onError,
}: StreamSourceOptions): EventSource {
  const { batchSize, batchingWindowMs } = definition
  const matches = compileFilters(definition.patterns)
  const stopping = new AbortController()
  const { signal } = stopping
  let position = checkpoint.durable
  if (position === undefined && definition.startingPosition === 'LATEST') checkpoint.save((position = stream.latest))
  /** Everything up to this sequence number was read. */
  let caughtUp = ''

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      await follow().catch((error) => {
        if (!signal.aborted) onError(error)
      })
      await sleep(retryDelayMs(failures), undefined, { signal }).catch(() => {})
    }
  }

  /** Delivers batches until an error occurs or the source is stopped. */
  async function follow(): Promise<never> {
    for (;;) {
      signal.throwIfAborted()
      const newest = stream.latest
      const records = await readBatch()
      if (records.length === 0) {
        caughtUp = newest
        await stream.waitForRecords(position, signal)
        if (batchingWindowMs > 0) await waitForFullBatch()
        continue
      }
      if (meter.running) {
        const bytes = records.reduce((sum, { dynamodb }) => sum + dynamodb.SizeBytes, 0)
        meter.countStreamRead(definition.functionName, bytes)
      }
      const wanted = records.filter(matches)
      if (wanted.length > 0) await deliverAll(wanted)
      moveTo(records.at(-1)!)
    }
  }

  /** The next records: at most a batch, and at most what fits in an event. */
  async function readBatch(): Promise<StreamRecord[]> {
    const batch: StreamRecord[] = []
    let bytes = 0
    for (let after = position; batch.length < batchSize; after = batch.at(-1)!.dynamodb.SequenceNumber) {
      const limit = Math.min(readAtOnce, batchSize - batch.length)
      const records = await stream.read(after, limit)
      for (const record of records) {
        bytes += record.dynamodb.SizeBytes
        if (bytes > maxEventBytes && batch.length > 0) return batch
        batch.push(record)
      }
      if (records.length < limit) break
    }
    return batch
  }

  /** Waits until the batch is full or the batching window ends. */
  async function waitForFullBatch(): Promise<void> {
    const end = Date.now() + batchingWindowMs
    for (;;) {
      const records = await stream.read(position, batchSize)
      const left = end - Date.now()
      if (records.length >= batchSize || left <= 0) return
      const waited = AbortSignal.any([signal, AbortSignal.timeout(left)])
      await stream
        .waitForRecords(records.at(-1)?.dynamodb.SequenceNumber ?? position, waited)
        .catch(() => signal.throwIfAborted())
    }
  }

  function moveTo({ dynamodb }: StreamRecord): void {
    position = dynamodb.SequenceNumber
    checkpoint.save(position)
  }

  /** Resolves when every record was accepted or stored as failed, in order. */
  async function deliverAll(records: readonly StreamRecord[]): Promise<void> {
    const work: Batch[] = [{ records, attempts: 0 }]
    for (let batch = work.shift(); batch; batch = work.shift()) {
      signal.throwIfAborted()
      const { failedAt, error } = await attempt(batch.records)
      if (failedAt > 0) moveTo(batch.records[failedAt - 1]!)
      if (failedAt === batch.records.length) continue
      const rest = await nextAttempts(
        { records: batch.records.slice(failedAt), attempts: failedAt > 0 ? 0 : batch.attempts },
        error,
      )
      work.unshift(...rest)
    }
  }

  /** `failedAt`: how many records the function accepted before the first failed one. */
  async function attempt(records: readonly StreamRecord[]): Promise<{ failedAt: number; error?: unknown }> {
    try {
      const answer = await deliver(definition.functionName, { Records: structuredClone(records) })
      if (!definition.reportsItemFailures) return { failedAt: records.length }
      const failures = itemFailures(answer, new Set(records.map(({ dynamodb }) => dynamodb.SequenceNumber)))
      if (failures === 'all')
        return { failedAt: 0, error: new Error('The function named failures that are not in its batch.') }
      const first = records.findIndex(({ dynamodb }) => failures.has(dynamodb.SequenceNumber))
      return {
        failedAt: first === -1 ? records.length : first,
        error: new Error('The function reported the record as failed.'),
      }
    } catch (error) {
      return { failedAt: 0, error }
    }
  }

  /** The batches to try next, instead of a failed one. */
  async function nextAttempts({ records, attempts }: Batch, error: unknown): Promise<Batch[]> {
    if (definition.bisects && records.length > 1) {
      const middle = records.length >> 1
      return [
        { records: records.slice(0, middle), attempts },
        { records: records.slice(middle), attempts },
      ]
    }
    // Unlike AWS, age applies to failing records only: a machine that was off for days delivers its backlog.
    const isTooOld = records[0]!.dynamodb.ApproximateCreationDateTime * 1000 + definition.maxAgeMs < now()
    if (attempts >= definition.maxRetries || isTooOld) {
      const condition = isTooOld ? 'RecordAgeExceeded' : 'RetryAttemptsExhausted'
      await giveUp({ definition, records, attempts: attempts + 1, condition, error })
      return []
    }
    await sleep(retryDelayMs(attempts), undefined, { signal })
    return [{ records, attempts: attempts + 1 }]
  }

  /** Retries until the batch is stored; the position does not advance before. */
  async function giveUp(batch: FailedBatch): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await storeFailedBatch(batch)
        return moveTo(batch.records.at(-1)!)
      } catch (error) {
        signal.throwIfAborted()
        onError(error)
        await sleep(retryDelayMs(tries), undefined, { signal })
      }
    }
  }

  const ended = run()

  return {
    get busy() {
      return stream.latest > caughtUp && stream.latest > (position ?? '')
    },
    async stop() {
      stopping.abort()
      await ended
      await checkpoint.flush()
    },
  }
}
