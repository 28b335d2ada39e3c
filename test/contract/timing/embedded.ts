import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { openStorage } from '../../../infra/local/runtime/storage/storage.ts'
import { seededRandomness } from '../../../infra/local/runtime/timing/randomness.ts'
import { openTimeline } from '../../../infra/local/runtime/timing/timeline.ts'
import { disorderOf } from '../../../infra/local/sqs/disorder.ts'
import type { QueueDefinition } from '../../../infra/local/sqs/queue.ts'
import { openQueues } from '../../../infra/local/sqs/queues.ts'
import { openFixture } from '../dynamodb/fixture.ts'
import { slotsTable } from '../dynamodb/tables.ts'
import { maxReceives, type QueueKind, readStream, visibilitySeconds, type World } from './world.ts'

const arnOf = (name: string): string => `arn:aws:sqs:eu-central-1:000000000000:${name}`
const names: Readonly<Record<QueueKind, string>> = { standard: 'work', ordered: 'work.fifo' }
const deadOf = (kind: QueueKind): string => names[kind].replace('work', 'dead')

const definition = (name: string, more: Partial<QueueDefinition> = {}): QueueDefinition => ({
  name,
  arn: arnOf(name),
  fifo: name.endsWith('.fifo'),
  contentBasedDeduplication: true,
  visibilityMs: visibilitySeconds * 1000,
  delayMs: 0,
  receiveWaitMs: 0,
  retentionMs: 345_600_000,
  maxMessageBytes: 1_048_576,
  ...more,
})

/** The embedded cloud in AWS's time, on a clock that is moved. */
export async function openEmbedded(seed: number): Promise<World> {
  const randomFor = seededRandomness(seed)
  const tables = await openFixture('in process', { lagging: randomFor('table') })
  const { clock, client } = tables
  await client.send(new CreateTableCommand(slotsTable))
  const kinds: readonly QueueKind[] = ['standard', 'ordered']
  const storage = await openStorage(':memory:')
  const queues = await openQueues(
    storage,
    kinds.flatMap((kind) => [
      definition(names[kind], { redrive: { deadLetterArn: arnOf(deadOf(kind)), maxReceiveCount: maxReceives } }),
      definition(deadOf(kind)),
    ]),
    openTimeline(() => clock.now),
    (name) => (name === names.standard ? disorderOf(randomFor(name)) : undefined),
  )
  const call = (operation: string, name: string, input: object): Promise<any> =>
    queues.call(operation, { QueueUrl: `http://sqs.in-process/000000000000/${name}`, ...input })
  const receive = async (name: string) =>
    (await call('ReceiveMessage', name, { MaxNumberOfMessages: 10, AttributeNames: ['All'] })).Messages ?? []
  return {
    client,
    tableName: slotsTable.TableName,
    queue: (kind) => ({
      send: (MessageBody, MessageGroupId) => call('SendMessage', names[kind], { MessageBody, MessageGroupId }),
      receive: () => receive(names[kind]),
      delete: ({ ReceiptHandle }) => call('DeleteMessage', names[kind], { ReceiptHandle }),
      hide: ({ ReceiptHandle }, VisibilityTimeout) =>
        call('ChangeMessageVisibility', names[kind], { ReceiptHandle, VisibilityTimeout }),
      deadLetters: () => receive(deadOf(kind)),
    }),
    changes: () => readStream(tables.callStreams, slotsTable.TableName),
    async pass(ms) {
      clock.now += ms
    },
    async close() {
      queues.close()
      await storage.close()
      await tables.close()
    },
  }
}
