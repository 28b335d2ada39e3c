import { setTimeout as sleep } from 'node:timers/promises'
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { signedHeaders } from '../../../infra/operate/sign-request.ts'
import { slotsTable } from '../dynamodb/tables.ts'
import { maxReceives, type Message, type QueueKind, readStream, visibilitySeconds, type World } from './world.ts'

/** A table and queues of their own in the account and region of the environment. They are deleted at the end. */
export async function openAws(): Promise<World> {
  const prefix = process.env.CONTRACT_TABLE_PREFIX ?? `contract-${Date.now().toString(36)}-`
  const tableName = `${prefix}timing`
  const client = new DynamoDBClient({ maxAttempts: 5 })
  const sqs = new SQSClient({ maxAttempts: 5 })
  await client.send(new CreateTableCommand({ ...slotsTable, TableName: tableName }))
  await waitUntilTableExists({ client, minDelay: 2, maxWaitTime: 300 }, { TableName: tableName })

  async function create(name: string, Attributes: Record<string, string>): Promise<string> {
    const fifo = name.endsWith('.fifo') && { FifoQueue: 'true', ContentBasedDeduplication: 'true' }
    const { QueueUrl } = await sqs.send(
      new CreateQueueCommand({ QueueName: prefix + name, Attributes: { ...fifo, ...Attributes } }),
    )
    return QueueUrl as string
  }
  async function open(end: '' | '.fifo') {
    const dead = await create(`dead${end}`, {})
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: dead, AttributeNames: ['QueueArn'] }),
    )
    const work = await create(`work${end}`, {
      VisibilityTimeout: String(visibilitySeconds),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: maxReceives }),
    })
    return { work, dead }
  }
  const queues = { standard: await open(''), ordered: await open('.fifo') } satisfies Record<QueueKind, object>
  // A short poll asks some servers only, so it may miss what is there.
  const receive = async (QueueUrl: string): Promise<readonly Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 1,
      MessageSystemAttributeNames: ['All'],
    })
    return ((await sqs.send(command)).Messages ?? []) as unknown as Message[]
  }
  return {
    client,
    tableName,
    queue(kind) {
      const { work: QueueUrl, dead } = queues[kind]
      return {
        send: (MessageBody, MessageGroupId) =>
          sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId })),
        receive: () => receive(QueueUrl),
        delete: ({ ReceiptHandle }) => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })),
        hide: ({ ReceiptHandle }, VisibilityTimeout) =>
          sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout })),
        deadLetters: () => receive(dead),
      }
    },
    changes: () => readStream((operation, input) => callStreams(client, operation, input), tableName),
    pass: (ms) => sleep(ms),
    async close() {
      await client.send(new DeleteTableCommand({ TableName: tableName }))
      for (const { work, dead } of Object.values(queues))
        for (const QueueUrl of [work, dead]) await sqs.send(new DeleteQueueCommand({ QueueUrl }))
      client.destroy()
      sqs.destroy()
    },
  }
}

/** Speaks the wire protocol, because the SDK's client for streams is not installed. */
async function callStreams(client: DynamoDBClient, operation: string, input: object): Promise<unknown> {
  const [region, credentials] = [await client.config.region(), await client.config.credentials()]
  const url = new URL(`https://streams.dynamodb.${region}.amazonaws.com/`)
  const body = JSON.stringify(input)
  const named = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
  }
  const headers = signedHeaders({ method: 'POST', url, body, headers: named }, credentials, {
    region,
    service: 'dynamodb',
    now: Date.now(),
  })
  const answer = await fetch(url, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
