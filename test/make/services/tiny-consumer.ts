import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs'
import type { LocalCloud } from '../../../infra/local/runtime/local-cloud.ts'
import { tinyCloud } from './tiny-cloud.ts'
import type { TinyCloudOptions } from './tiny-cloud.ts'
import { arnOf, streamOf, tinyFunction, tinyMapping, tinyTable } from './tiny-template.ts'
import type { Resources } from './tiny-template.ts'

/**
 * A consumer that notes every batch and fails for the items or messages it is told to (by `sk` or body). Its notes
 * outlive its instances, like a log.
 */
export const code = `
const notes = (globalThis.tinyConsumer ??= { batches: [], failing: new Set(), report: false, hold: undefined })
const nameOf = (record) => record.dynamodb ? record.dynamodb.Keys.sk.S : record.body
const idOf = (record) => record.dynamodb ? record.dynamodb.SequenceNumber : record.messageId

export async function consume({ Records }) {
  const names = Records.map(nameOf)
  notes.batches.push(names)
  notes.last = Records
  await notes.hold
  const failed = Records.filter((record) => notes.failing.has(nameOf(record)))
  if (notes.report) return { batchItemFailures: notes.report === 'nonsense' ? [{ itemIdentifier: '' }] : failed.map((record) => ({ itemIdentifier: idOf(record) })) }
  const refused = failed.map(nameOf)
  if (notes.spoils) for (const record of Records) delete record.dynamodb
  if (refused.length > 0) throw new Error('refused ' + refused)
}
`

export interface Consumer {
  batches: string[][]
  failing: Set<string>
  report: boolean | 'nonsense'
  hold: Promise<void> | undefined
  spoils: boolean
  last: Record<string, any>[]
}

export function freshConsumer(): Consumer {
  const consumer: Consumer = {
    batches: [],
    failing: new Set(),
    report: false,
    hold: undefined,
    spoils: false,
    last: [],
  }
  Object.assign(globalThis, { tinyConsumer: consumer })
  return consumer
}

export const onlyConsumer = (mapping: Resources[string], more: Resources = {}): Resources => ({
  Table: tinyTable(),
  ConsumeFunction: tinyFunction('consume', { Timeout: 3 }),
  Mapping: mapping,
  ...more,
})

export async function streamed(
  mapping: Record<string, unknown> = {},
  more: Resources = {},
  options: Partial<TinyCloudOptions> = {},
) {
  const consumer = freshConsumer()
  const cloud = await tinyCloud({
    resources: onlyConsumer(tinyMapping('ConsumeFunction', streamOf('Table'), mapping), more),
    code,
    ...options,
  })
  return { consumer, cloud, put: putter(cloud) }
}

export function putter(cloud: LocalCloud): (...names: string[]) => Promise<void> {
  const client = new DynamoDBClient(cloud.clientOptions('dynamodb'))
  return async (...names) => {
    for (const name of names) {
      await client.send(
        new PutItemCommand({
          TableName: 'Table',
          Item: { pk: { S: 'p' }, sk: { S: name }, kind: { S: name.split('-')[0]! } },
        }),
      )
    }
  }
}

export async function queued(
  mapping: Record<string, unknown> = {},
  queue: Record<string, unknown> = {},
  more: Resources = {},
  options: Partial<TinyCloudOptions> = {},
) {
  const consumer = freshConsumer()
  const resources = onlyConsumer(tinyMapping('ConsumeFunction', arnOf('Queue'), mapping), {
    Queue: { Type: 'AWS::SQS::Queue', Properties: queue },
    ...more,
  })
  const cloud = await tinyCloud({ resources, code, ...options })
  const client = new SQSClient(cloud.clientOptions('sqs'))
  const name = queue['FifoQueue'] ? 'Queue.fifo' : 'Queue'
  const send = async (...bodies: string[]): Promise<void> => {
    for (const body of bodies) {
      const fifo = queue['FifoQueue'] ? { MessageGroupId: body[0], MessageDeduplicationId: body } : {}
      await client.send(
        new SendMessageCommand({ QueueUrl: `http://sqs.in-process/0/${name}`, MessageBody: body, ...fifo }),
      )
    }
  }
  return { consumer, cloud, send }
}

export const gate = () => Promise.withResolvers<void>()
