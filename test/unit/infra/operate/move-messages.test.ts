import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type Message,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { moveMessages } from '../../../../infra/operate/move-messages.ts'

const sqs = mockClient(SQSClient)
const client = new SQSClient({ region: 'eu-central-1' })
const [from, to] = ['https://sqs/dead-letters', 'https://sqs/queue']
const message = (n: number, more: Message = {}): Message => ({
  MessageId: `m${n}`,
  ReceiptHandle: `r${n}`,
  Body: `{"id":${n}}`,
  ...more,
})

beforeEach(() => {
  sqs.reset()
  sqs.on(SendMessageCommand).resolves({})
  sqs.on(DeleteMessageCommand).resolves({})
})
afterAll(() => sqs.restore())

describe('messages of a dead-letter queue', () => {
  it('are sent before they are deleted, each once', async () => {
    sqs.on(ReceiveMessageCommand).resolves({ Messages: [message(1), message(2)] })
    expect(await moveMessages(client, from, to)).toBe(2)
    const calls = sqs.calls().map(({ args: [command] }) => [command.constructor.name, command.input])
    expect(calls).toMatchObject([
      ['ReceiveMessageCommand', { QueueUrl: from, MaxNumberOfMessages: 10 }],
      ['SendMessageCommand', { QueueUrl: to, MessageBody: '{"id":1}' }],
      ['DeleteMessageCommand', { QueueUrl: from, ReceiptHandle: 'r1' }],
      ['SendMessageCommand', { QueueUrl: to, MessageBody: '{"id":2}' }],
      ['DeleteMessageCommand', { QueueUrl: from, ReceiptHandle: 'r2' }],
    ])
  })

  it('keep their group in a FIFO queue, under a new deduplication id', async () => {
    const grouped = message(3, { Attributes: { MessageGroupId: 'tenant-7' } })
    sqs.on(ReceiveMessageCommand).resolves({ Messages: [grouped] })
    await moveMessages(client, `${from}.fifo`, `${to}.fifo`)
    expect(sqs.commandCalls(SendMessageCommand)[0]?.args[0].input).toMatchObject({
      MessageGroupId: 'tenant-7',
      MessageDeduplicationId: 'redrive-m3',
    })
  })

  it('stay where they are when the queue refuses them', async () => {
    sqs.on(ReceiveMessageCommand).resolves({ Messages: [message(4), message(5)] })
    sqs.on(SendMessageCommand).rejects(new Error('AccessDenied'))
    await expect(moveMessages(client, from, to)).rejects.toThrow('AccessDenied')
    expect(sqs.commandCalls(DeleteMessageCommand)).toEqual([])
  })

  it('are none in an empty queue', async () => {
    sqs.on(ReceiveMessageCommand).resolves({})
    expect(await moveMessages(client, from, to)).toBe(0)
  })
})
