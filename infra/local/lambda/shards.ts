/**
 * The shards of a stream in AWS's time. The changes of a partition key are in one shard, in order; each shard lags in its own
 * way. All shards read the one log of the stream and share its stored position, which is that of the slowest.
 */
import { hash } from 'node:crypto'
import type { Stream, StreamRecord } from '../dynamodb/streams/stream-log.ts'
import type { Random } from '../runtime/timing/randomness.ts'
import type { Timeline } from '../runtime/timing/timeline.ts'
import type { Checkpoint } from './checkpoint.ts'

export interface Shard {
  readonly stream: Stream
  readonly checkpoint: Checkpoint
}

export interface ShardsOptions {
  readonly stream: Stream
  readonly checkpoint: Checkpoint
  readonly timeline: Timeline
  readonly randomFor: (purpose: string) => Random
}

/** Between which times a record becomes readable in each shard, after the second in which it was written. */
const lagsMs = [
  [200, 500],
  [500, 1_500],
  [1_000, 3_000],
  [3_000, 20_000],
] as const
const readAtOnce = 100

export function openShards({ stream, checkpoint, timeline, randomFor }: ShardsOptions): readonly Shard[] {
  const positions: (string | undefined)[] = lagsMs.map(() => checkpoint.durable)

  function save(shard: number, position: string): void {
    positions[shard] = position
    const slowest = positions.reduce((least, other) =>
      least === undefined || other === undefined ? undefined : other < least ? other : least,
    )
    if (slowest !== undefined) checkpoint.save(slowest)
  }

  return lagsMs.map(([least, most], shard) => ({
    stream: openShard(shard, least, most),
    checkpoint: {
      get durable() {
        return checkpoint.durable
      },
      save: (position) => save(shard, position),
      flush: () => checkpoint.flush(),
    },
  }))

  function openShard(shard: number, least: number, most: number): Stream {
    /** Up to here the log has no more records of this shard. */
    let scanned = ''

    /** When a record becomes readable: the same time however often it is asked. */
    function readableAt({ dynamodb }: StreamRecord): number {
      const lag = least + (most - least) * randomFor(`record ${dynamodb.SequenceNumber}`)()
      return (dynamodb.ApproximateCreationDateTime + 1) * 1000 + lag
    }

    async function ownRecords(afterSequence: string | undefined, limit: number): Promise<StreamRecord[]> {
      const own: StreamRecord[] = []
      for (let after = laterOf(afterSequence, scanned); ;) {
        const records = await stream.read(after, readAtOnce)
        for (const record of records) if (shardOf(record) === shard && own.length < limit) own.push(record)
        if (records.length > 0) after = records.at(-1)!.dynamodb.SequenceNumber
        if (records.length < readAtOnce || own.length >= limit) {
          if (own.length === 0) passed(afterSequence, after)
          return own
        }
      }
    }

    function passed(position: string | undefined, upTo: string | undefined): void {
      if (upTo === undefined || upTo <= scanned) return
      scanned = upTo
      if ((positions[shard] ?? '') <= (position ?? '')) save(shard, upTo)
    }

    return {
      async read(afterSequence, limit, signal) {
        for (;;) {
          const own = await ownRecords(afterSequence, limit)
          const hidden = own.findIndex((record) => readableAt(record) > timeline.now())
          if (hidden !== 0) return hidden === -1 ? own : own.slice(0, hidden)
          await timeline.sleep(readableAt(own[0]!) - timeline.now(), signal)
        }
      },
      waitForRecords: (afterSequence, signal) => stream.waitForRecords(laterOf(afterSequence, scanned), signal),
      trim: stream.trim,
      outage: stream.outage,
      get latest() {
        return stream.latest
      },
    }
  }
}

/** The shard of a record's partition key, which is the first of its keys. */
function shardOf({ dynamodb: { Keys } }: StreamRecord): number {
  const [partition] = Object.values(Keys)
  return Number.parseInt(hash('md5', JSON.stringify(partition)).slice(0, 8), 16) % lagsMs.length
}

function laterOf(position: string | undefined, scanned: string): string | undefined {
  if (scanned === '') return position
  return position === undefined || position < scanned ? scanned : position
}
