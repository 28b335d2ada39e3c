/**
 * Delivers a table's changes to a function, in order, one batch at a time, at least once. A failing batch is bisected
 * and retried; after the last attempt it goes to the failure destination.
 */
import type { StreamRecord, Stream } from '../dynamodb/streams/stream-log.ts'
import type { Timeline } from '../runtime/timing/timeline.ts'
import type { Meter } from '../sdk/meter/meter.ts'
import type { Checkpoint } from './checkpoint.ts'
import { itemFailures } from './event-source.ts'
import type { Deliver, EventSource, EventSourceDefinition, Retries } from './event-source.ts'
import { compileFilters } from './filter-pattern.ts'

export interface StreamSourceOptions {
  readonly definition: EventSourceDefinition
  readonly stream: Stream
  readonly checkpoint: Checkpoint
  readonly deliver: Deliver
  readonly meter: Meter
  /** Stores a batch that was given up. The position advances once this resolved. */
  readonly storeFailedBatch: (batch: FailedBatch) => Promise<void>
  readonly timeline: Timeline
  readonly retries: Retries
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

/** What is remembered of a record while the function has it. */
interface Place {
  readonly sequence: string
  readonly createdMs: number
}

interface Batch {
  readonly places: readonly Place[]
  readonly attempts: number
}

const placeOf = ({ dynamodb }: StreamRecord): Place => ({
  sequence: dynamodb.SequenceNumber,
  createdMs: dynamodb.ApproximateCreationDateTime * 1000,
})

export function openStreamSource({
  definition,
  stream,
  checkpoint,
  deliver,
  meter,
  storeFailedBatch,
  timeline,
  retries: { streamDelayMs },
  onError,
}: StreamSourceOptions): EventSource {
  const { batchSize, batchingWindowMs } = definition
  const { now, sleep } = timeline
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
      await sleep(streamDelayMs(failures), signal).catch(() => {})
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
      const last = placeOf(records.at(-1)!)
      const wanted = records.filter(matches)
      if (wanted.length > 0) await deliverAll(wanted)
      moveTo(last)
    }
  }

  /** The next records: at most a batch, and at most what fits in an event. */
  async function readBatch(): Promise<StreamRecord[]> {
    const batch: StreamRecord[] = []
    let bytes = 0
    for (let after = position; batch.length < batchSize; after = batch.at(-1)!.dynamodb.SequenceNumber) {
      const limit = Math.min(readAtOnce, batchSize - batch.length)
      const records = await stream.read(after, limit, signal)
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
    const over = new AbortController()
    const cancel = timeline.at(now() + batchingWindowMs, () => over.abort())
    const waited = AbortSignal.any([signal, over.signal])
    try {
      while (!waited.aborted) {
        const records = await stream.read(position, batchSize, waited)
        if (records.length >= batchSize) return
        await stream.waitForRecords(records.at(-1)?.dynamodb.SequenceNumber ?? position, waited)
      }
    } catch (error) {
      if (!over.signal.aborted) throw error
    } finally {
      cancel()
    }
  }

  function moveTo({ sequence }: Place): void {
    position = sequence
    checkpoint.save(position)
  }

  /** Resolves when every record was accepted or stored as failed, in order. */
  async function deliverAll(records: readonly StreamRecord[]): Promise<void> {
    const work: Batch[] = [{ places: records.map(placeOf), attempts: 0 }]
    // The function may change what it receives, so only the first attempt gets the records that were read.
    let fresh: readonly StreamRecord[] | undefined = records
    for (let batch = work.shift(); batch; batch = work.shift()) {
      signal.throwIfAborted()
      const { places } = batch
      await untilWritable()
      const { failedAt, error } = await attempt(fresh ?? (await readAgain(places)), places)
      fresh = undefined
      if (failedAt > 0) moveTo(places[failedAt - 1]!)
      if (failedAt === places.length) continue
      const rest = await nextAttempts(
        { places: places.slice(failedAt), attempts: failedAt > 0 ? 0 : batch.attempts },
        error,
      )
      work.unshift(...rest)
    }
  }

  /** A failure in an outage would count against the records. */
  async function untilWritable(): Promise<void> {
    for (let outage = stream.outage(); outage; outage = stream.outage()) {
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([outage.over, stopped])
      signal.throwIfAborted()
    }
  }

  async function readAgain(places: readonly Place[]): Promise<StreamRecord[]> {
    const wanted = new Set(places.map(({ sequence }) => sequence))
    const found: StreamRecord[] = []
    let after = String(BigInt(places[0]!.sequence) - 1n)
    while (found.length < places.length) {
      const records = await stream.read(after, readAtOnce, signal)
      if (records.length === 0) throw new Error(`The stream has no records after ${after} any more.`)
      found.push(...records.filter(({ dynamodb }) => wanted.has(dynamodb.SequenceNumber)))
      after = records.at(-1)!.dynamodb.SequenceNumber
    }
    return found
  }

  /** `failedAt`: how many records the function accepted before the first failed one. */
  async function attempt(
    records: readonly StreamRecord[],
    places: readonly Place[],
  ): Promise<{ failedAt: number; error?: unknown }> {
    try {
      const answer = await deliver(definition.functionName, { Records: records })
      if (!definition.reportsItemFailures) return { failedAt: places.length }
      const failures = itemFailures(answer, new Set(places.map(({ sequence }) => sequence)))
      if (failures === 'all')
        return { failedAt: 0, error: new Error('The function named failures that are not in its batch.') }
      const first = places.findIndex(({ sequence }) => failures.has(sequence))
      return {
        failedAt: first === -1 ? places.length : first,
        error: new Error('The function reported the record as failed.'),
      }
    } catch (error) {
      return { failedAt: 0, error }
    }
  }

  /** The batches to try next, instead of a failed one. */
  async function nextAttempts({ places, attempts }: Batch, error: unknown): Promise<Batch[]> {
    if (definition.bisects && places.length > 1) {
      const middle = places.length >> 1
      return [
        { places: places.slice(0, middle), attempts },
        { places: places.slice(middle), attempts },
      ]
    }
    // Unlike AWS, age applies to failing records only: a machine that was off for days delivers its backlog.
    const isTooOld = places[0]!.createdMs + definition.maxAgeMs < now()
    if (attempts >= definition.maxRetries || isTooOld) {
      const condition = isTooOld ? 'RecordAgeExceeded' : 'RetryAttemptsExhausted'
      await giveUp(places, { definition, attempts: attempts + 1, condition, error })
      return []
    }
    await sleep(streamDelayMs(attempts), signal)
    return [{ places, attempts: attempts + 1 }]
  }

  /** Retries until the batch is stored; the position does not advance before. */
  async function giveUp(places: readonly Place[], failure: Omit<FailedBatch, 'records'>): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await storeFailedBatch({ ...failure, records: await readAgain(places) })
        return moveTo(places.at(-1)!)
      } catch (error) {
        signal.throwIfAborted()
        onError(error)
        await sleep(streamDelayMs(tries), signal)
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
