import { setTimeout as sleep } from 'node:timers/promises'
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { tinyCloud, type TinyCloudOptions } from '../make/services/tiny-cloud.ts'
import { code, freshConsumer, onlyConsumer, queued, gate } from '../make/services/tiny-consumer.ts'
import { arnOf, tinyFunction, tinyMapping, tinyTable } from '../make/services/tiny-template.ts'

describe('a queue mapping', () => {
  it('delivers messages in the format of Lambda and deletes accepted ones', async () => {
    const { consumer, cloud, send } = await queued()
    await send('hello')
    await cloud.idle()
    expect(consumer.last).toMatchObject([
      {
        body: 'hello',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:Queue',
        awsRegion: 'us-east-1',
        md5OfBody: '5d41402abc4b2a76b9719d911017c592',
        attributes: { ApproximateReceiveCount: '1' },
      },
    ])
    expect(consumer.batches).toEqual([['hello']])
  })

  it('redelivers only the messages the function reports as failed', async () => {
    const { consumer, cloud, send } = await queued({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumBatchingWindowInSeconds: 1,
      BatchSize: 3,
    })
    consumer.report = true
    consumer.failing.add('b')
    await send('a', 'b', 'c')
    while (consumer.batches.length === 0) await sleep(2)
    consumer.failing.clear()
    await cloud.idle()
    expect(consumer.batches.slice(1)).toEqual([['b']])
  })

  it('redelivers the whole batch when the function throws, and finally moves it to the dead-letter queue', async () => {
    const { consumer, cloud, send } = await queued(
      {},
      { RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 2 } },
      { Dead: { Type: 'AWS::SQS::Queue' } },
    )
    consumer.failing.add('poison')
    await send('poison')
    await cloud.idle()
    expect(consumer.batches).toEqual([['poison'], ['poison']])
  })

  it('keeps the order of each group of a FIFO queue through failures', async () => {
    const { consumer, cloud, send } = await queued(
      { BatchSize: 2, FunctionResponseTypes: ['ReportBatchItemFailures'] },
      { FifoQueue: true },
    )
    const { promise, resolve } = gate()
    consumer.hold = promise
    consumer.failing.add('a2')
    consumer.report = true
    await send('a1', 'a2', 'a3', 'b1')
    resolve()
    while (!consumer.batches.flat().includes('a2')) await sleep(2)
    consumer.failing.clear()
    await cloud.idle()
    const first = [...new Set(consumer.batches.flat().filter((name) => name.startsWith('a')))]
    expect(first.indexOf('a1')).toBe(0)
    expect(consumer.batches.flat().lastIndexOf('a3')).toBeGreaterThan(consumer.batches.flat().indexOf('a2'))
  })

  describe('of a FIFO queue with a message that always fails', () => {
    async function poisoned(BatchSize: number, options: Partial<TinyCloudOptions> = {}) {
      const { consumer, cloud, send } = await queued(
        { BatchSize, FunctionResponseTypes: ['ReportBatchItemFailures'] },
        { FifoQueue: true, RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 3 } },
        { Dead: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } },
        options,
      )
      consumer.report = true
      consumer.failing.add('a1')
      if (BatchSize > 1) for (const follower of ['a2', 'a3']) consumer.failing.add(follower)
      await send('a1', 'a2', 'a3')
      return { consumer, cloud }
    }

    it.each([{ timing: undefined }, { timing: 'aws' as const, coldStartMs: 0 }])(
      'sets it aside alone where messages come one at a time (timing $timing)',
      async (options) => {
        const { consumer, cloud } = await poisoned(1, options)
        while (!consumer.batches.flat().includes('a3')) await cloud.advance(31_000)
        expect(consumer.batches).toEqual([['a1'], ['a1'], ['a1'], ['a2'], ['a3']])
      },
    )

    it('counts the rest of its batch as failed in the time of AWS, which loses them with it', async () => {
      const { consumer, cloud } = await poisoned(5, { timing: 'aws', coldStartMs: 0 })
      for (let round = 0; round < 5; round++) await cloud.advance(31_000)
      consumer.failing.delete('a2')
      consumer.failing.delete('a3')
      await cloud.advance(31_000)
      expect(consumer.batches.filter((batch) => batch.includes('a3')).length).toBeLessThanOrEqual(3)
      expect(consumer.batches.at(-1)).toContain('a3')
    })
  })

  it('runs at most maximum-concurrency batches at a time', async () => {
    const { consumer, cloud, send } = await queued({ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } })
    const { promise, resolve } = gate()
    consumer.hold = promise
    await send('a', 'b', 'c', 'd')
    await expect.poll(() => consumer.batches.length).toBe(2)
    // A third one would have begun with them.
    for (let turn = 0; turn < 100; turn += 1) await new Promise((next) => setImmediate(next))
    expect(consumer.batches).toHaveLength(2)
    resolve()
    await cloud.idle()
    expect(consumer.batches).toHaveLength(4)
  })

  it('deletes messages whose body its filters do not match', async () => {
    const { consumer, cloud, send } = await queued({
      FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ body: { size: [{ numeric: ['>', 2] }] } }) }] },
    })
    await send('{"size":1}', '{"size":3}', 'no json')
    await cloud.idle()
    expect(consumer.batches.flat()).toEqual(['{"size":3}'])
  })

  it('runs outside the scope of the sender: a crash does not end the sending function', async () => {
    const consumer = freshConsumer()
    const sender = `
      import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs'
      const queue = new SQSClient(globalThis[Symbol.for('process-host')].clientOptions('sqs'))
      export const send = async () => {
        await queue.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: 'a' }))
        await new Promise((resolve) => setTimeout(resolve, 50))
        return 'sent'
      }`
    const SendFunction = tinyFunction('send', { Variables: { QUEUE_URL: { Ref: 'Queue' } } })
    const resources = onlyConsumer(tinyMapping('ConsumeFunction', arnOf('Queue')), {
      Queue: { Type: 'AWS::SQS::Queue' },
      SendFunction,
    })
    const cloud = await tinyCloud({ resources, code: code + sender })
    cloud.faults.inject({ service: 'lambda', operation: 'Invoke', action: 'crash-before' })
    expect(await cloud.invoke('send')).toBe('sent')
    await cloud.idle()
    expect(consumer.batches).toEqual([['a']])
  })

  it('redelivers after the function crashed', async () => {
    const { consumer, cloud, send } = await queued()
    cloud.faults.inject({ service: 'lambda', operation: 'Invoke', action: 'crash-after' })
    await send('a')
    await cloud.idle()
    expect(consumer.batches).toEqual([['a'], ['a']])
  })
})

describe('a chain of messages', () => {
  /** Counts down in messages to its own queue. */
  const counting = `
import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs'
const counted = (globalThis.counted ??= [])
export async function count({ Records }) {
  for (const { body } of Records) {
    counted.push(Number(body))
    if (Number(body) > 0) {
      const client = new SQSClient(globalThis[Symbol.for('process-host')].clientOptions('sqs'))
      await client.send(new SendMessageCommand({ QueueUrl: 'http://sqs.in-process/0/Queue', MessageBody: String(body - 1) }))
    }
  }
}
`
  async function countedFrom(start: number, RecursiveLoop: string, timing?: 'aws') {
    const counted: number[] = []
    Object.assign(globalThis, { counted })
    const cloud = await tinyCloud({
      resources: {
        Table: tinyTable(),
        CountFunction: tinyFunction('count', { Timeout: 3, RecursiveLoop }),
        Queue: {
          Type: 'AWS::SQS::Queue',
          Properties: { RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 5 } },
        },
        Dead: { Type: 'AWS::SQS::Queue' },
        Mapping: tinyMapping('CountFunction', arnOf('Queue'), { BatchSize: 1 }),
      },
      code: counting,
      ...(timing && { timing, coldStartMs: 0 }),
    })
    const client = new SQSClient(cloud.clientOptions('sqs'))
    const queue = (name: string) => ({ QueueUrl: `http://sqs.in-process/0/${name}` })
    await client.send(new SendMessageCommand({ ...queue('Queue'), MessageBody: String(start) }))
    for (let round = 0; round < 40; round++) await cloud.advance(31_000)
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ ...queue('Dead'), MaxNumberOfMessages: 10 }),
    )
    // Queues of AWS deliver now and then a message twice.
    return { times: new Set(counted).size, dead: [...new Set(Messages.map(({ Body }) => Body))] }
  }

  it('of one function ends at the sixteenth in the time of AWS, and its message becomes a dead letter', async () => {
    expect(await countedFrom(30, 'Terminate', 'aws')).toEqual({ times: 16, dead: ['14'] })
  })

  it('goes on where the function allows it, and on one machine', async () => {
    expect(await countedFrom(30, 'Allow', 'aws')).toEqual({ times: 31, dead: [] })
    expect(await countedFrom(30, 'Terminate')).toEqual({ times: 31, dead: [] })
  })
})
