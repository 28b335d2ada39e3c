/** Runs all event source mappings of a template: which stream or queue feeds which function, and where failures go. */
import { randomUUID } from 'node:crypto'
import type { DynamoDb } from '../dynamodb/open.ts'
import type { Storage } from '../runtime/storage/storage.ts'
import type { Random } from '../runtime/timing/randomness.ts'
import type { Timeline } from '../runtime/timing/timeline.ts'
import type { ObjectStore } from '../s3/object-store.ts'
import type { Meter } from '../sdk/meter/meter.ts'
import type { Queues } from '../sqs/queues.ts'
import { openCheckpoint } from './checkpoint.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Deliver, EventSource, EventSourceDefinition, Retries } from './event-source.ts'
import { compileFilters } from './filter-pattern.ts'
import { openQueueSource } from './queue-source.ts'
import { openShards } from './shards.ts'
import { openStreamSource } from './stream-source.ts'
import type { FailedBatch } from './stream-source.ts'

export interface EventSourcesOptions {
  readonly definitions: readonly EventSourceDefinition[]
  readonly storage: Storage
  readonly dynamoDb: DynamoDb
  readonly queues: Queues
  readonly objectStore: ObjectStore
  readonly deliver: Deliver
  readonly meter: Meter
  readonly timeline: Timeline
  readonly retries: Retries
  /** Given when streams have shards that lag; otherwise each is one that does not. */
  readonly lagging?: { readonly randomFor: (purpose: string) => Random }
  readonly log: (entry: object) => void
}

export interface EventSources {
  /** The ids of mappings with unfinished work. */
  busy(): string[]
  stop(): Promise<void>
}

export function startEventSources({
  definitions,
  storage,
  dynamoDb,
  queues,
  objectStore,
  deliver,
  meter,
  timeline,
  retries,
  lagging,
  log,
}: EventSourcesOptions): EventSources {
  const { now } = timeline
  const checkpoints = new Map<string, Checkpoint[]>()

  /** Trims a stream to the durable position of its slowest reader. */
  function trim(table: string): void {
    const positions = checkpoints.get(table)!.map(({ durable }) => durable)
    if (positions.some((position) => position === undefined)) return
    const slowest = (positions as string[]).reduce((least, position) => (position < least ? position : least))
    dynamoDb
      .stream(table)
      .trim(slowest)
      .catch(() => {})
  }

  function startStream(definition: EventSourceDefinition, table: string): EventSource {
    const checkpoint = openCheckpoint(storage, `stream-position/${definition.id}`, () => trim(table))
    checkpoints.set(table, [...(checkpoints.get(table) ?? []), checkpoint])
    const onError = (error: unknown): void =>
      log({ level: 'ERROR', event_source: definition.id, message: String(error) })
    const stream = dynamoDb.stream(table)
    const shards = lagging ? openShards({ stream, checkpoint, timeline, ...lagging }) : [{ stream, checkpoint }]
    const opened = shards.map((shard) =>
      openStreamSource({
        definition,
        ...shard,
        deliver,
        meter,
        storeFailedBatch,
        timeline,
        retries,
        onError,
      }),
    )
    return {
      get busy() {
        return opened.some(({ busy }) => busy)
      },
      async stop() {
        await Promise.all(opened.map((source) => source.stop()))
      },
    }
  }

  async function storeFailedBatch(batch: FailedBatch): Promise<void> {
    const { onFailureArn } = batch.definition
    if (!onFailureArn) return
    if (onFailureArn.startsWith('arn:aws:s3:')) {
      const bucket = onFailureArn.slice('arn:aws:s3:::'.length)
      // S3 gets the whole event with the failure record; a queue gets the record only.
      const payload = JSON.stringify({ Records: batch.records })
      return objectStore.putObject(
        bucket,
        failureKey(batch, new Date(now())),
        JSON.stringify({ ...failureRecord(batch, now()), payload }),
      )
    }
    const queue = queues.get(onFailureArn)
    if (!queue) throw new Error(`The failure destination ${onFailureArn} of ${batch.definition.id} does not exist.`)
    await queue.send([{ body: JSON.stringify(failureRecord(batch, now())) }])
  }

  const sources = definitions.map((definition) => ({ id: definition.id, source: start(definition) }))

  function start(definition: EventSourceDefinition): EventSource {
    const table = streamTable(definition.sourceArn)
    if (table !== undefined) return startStream(definition, table)
    const queue = queues.get(definition.sourceArn)
    if (!queue) throw new Error(`The event source ${definition.sourceArn} of ${definition.id} does not exist.`)
    return openQueueSource({ definition, queue, deliver, meter, timeline, retries })
  }

  return {
    busy: () => sources.filter(({ source }) => source.busy).map(({ id }) => id),
    async stop() {
      await Promise.all(sources.map(({ source }) => source.stop()))
    },
  }
}

/** The table of a stream's ARN; undefined for any other ARN. */
const streamTable = (arn: string): string | undefined => /:table\/([^/]+)\/stream\//.exec(arn)?.[1]

/**
 * A predicate on new images: whether any mapping wants the change. Others need not be logged. Undefined when a filter
 * reads more than the new image.
 */
export function streamFilter(definitions: readonly EventSourceDefinition[]): ((image: object) => boolean) | undefined {
  const streams = definitions.filter(({ sourceArn }) => streamTable(sourceArn) !== undefined)
  if (!streams.every(({ patterns }) => patterns.length > 0 && patterns.every(readsNewImageOnly))) return undefined
  const matches = streams.map(({ patterns }) => compileFilters(patterns))
  return (image) => matches.some((wants) => wants({ dynamodb: { NewImage: image } }))
}

function readsNewImageOnly(pattern: string): boolean {
  if (/"exists":\s*false/.test(pattern)) return false
  const { dynamodb, ...others } = JSON.parse(pattern) as { dynamodb?: object }
  return (
    dynamodb !== undefined &&
    Object.keys(others).length === 0 &&
    Object.keys(dynamodb).every((member) => member === 'NewImage')
  )
}

/** The invocation record Lambda writes about a batch it gave up on. */
function failureRecord({ definition, records, attempts, condition }: FailedBatch, at: number): object {
  const [first, last] = [records[0]!, records.at(-1)!]
  const arrivalOf = ({ dynamodb }: typeof first): string =>
    new Date(dynamodb.ApproximateCreationDateTime * 1000).toISOString()
  return {
    version: '1.0',
    timestamp: new Date(at).toISOString(),
    requestContext: {
      requestId: randomUUID(),
      functionArn: definition.functionArn,
      condition,
      approximateInvokeCount: attempts,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first.dynamodb.SequenceNumber,
      endSequenceNumber: last.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(last),
      batchSize: records.length,
      streamArn: definition.sourceArn,
    },
  }
}

const shardId = 'shardId-00000000000000000000-local'

/** `aws/lambda/<mapping>/<shard>/YYYY/MM/DD/YYYY-MM-DDTHH.MM.SS-<uuid>` */
function failureKey({ definition }: FailedBatch, at: Date): string {
  const time = at.toISOString()
  return `aws/lambda/${definition.id}/${shardId}/${time.slice(0, 10).replaceAll('-', '/')}/${time.slice(0, 19).replaceAll(':', '.')}-${randomUUID()}`
}
