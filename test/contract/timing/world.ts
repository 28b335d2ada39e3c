import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

export type QueueKind = 'standard' | 'ordered'

export interface Message {
  readonly Body: string
  readonly ReceiptHandle: string
  readonly Attributes: { readonly ApproximateReceiveCount: string }
}

export interface StreamRecord {
  readonly eventName: string
  readonly dynamodb: {
    readonly Keys: { readonly pk: { readonly S: string } }
    readonly NewImage?: { readonly v: { readonly N: string } }
    readonly OldImage?: { readonly v: { readonly N: string } }
  }
}

/** What the service relies on of time and order: real AWS, or the embedded cloud in AWS's time. */
export interface World {
  /** A table with the index `slot01` (`slot01p`, `slot01s`), and a stream of both images. */
  readonly client: DynamoDBClient
  readonly tableName: string
  /** A queue of each kind: hidden for 3 s after a receive; the third receive is the last. */
  queue(kind: QueueKind): {
    send(body: string, group?: string): Promise<unknown>
    /** Up to ten messages that are there. */
    receive(): Promise<readonly Message[]>
    delete(message: Message): Promise<unknown>
    hide(message: Message, seconds: number): Promise<unknown>
    deadLetters(): Promise<readonly Message[]>
  }
  /** Every record of the stream, the shards one after the other. */
  changes(): Promise<readonly StreamRecord[]>
  /** Lets time pass: at once where the clock can be moved. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

export const visibilitySeconds = 3
export const maxReceives = 3

/** Asks until the answer is there, for a minute at most. */
export async function eventually<T>(world: World, ask: () => Promise<T>, isThere: (answer: T) => boolean): Promise<T> {
  const stepMs = 250
  for (let passed = 0; ; passed += stepMs) {
    const answer = await ask()
    if (isThere(answer)) return answer
    if (passed >= 60_000) throw new Error(`After a minute it is still ${JSON.stringify(answer)?.slice(0, 300)}`)
    await world.pass(stepMs)
  }
}

/** Reads a stream by its API. */
export async function readStream(
  call: (operation: string, input: object) => Promise<any>,
  tableName: string,
): Promise<readonly StreamRecord[]> {
  const { Streams } = await call('ListStreams', { TableName: tableName })
  const { StreamArn } = Streams[0]
  const { StreamDescription } = await call('DescribeStream', { StreamArn })
  const found: StreamRecord[] = []
  for (const { ShardId } of StreamDescription.Shards) {
    let { ShardIterator } = await call('GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
    // An open shard has no last page: it is read until several are empty.
    for (let empty = 0; ShardIterator && empty < 5;) {
      const page = await call('GetRecords', { ShardIterator })
      found.push(...page.Records)
      empty = page.Records.length === 0 ? empty + 1 : 0
      ShardIterator = page.NextShardIterator
    }
  }
  return found
}
