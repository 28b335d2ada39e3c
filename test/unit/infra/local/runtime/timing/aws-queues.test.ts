import { ChangeMessageVisibilityCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import type { LocalCloud } from '../../../../../../infra/local/runtime/local-cloud.ts'
import { queued } from '../../../../../make/services/tiny-consumer.ts'
import { arnOf } from '../../../../../make/services/tiny-template.ts'

const aws = { timing: 'aws', seed: 4 } as const
const url = (name: string): string => `http://sqs.in-process/0/${name}`

async function countsOf(cloud: LocalCloud, name: string): Promise<number> {
  const { Attributes } = await new SQSClient(cloud.clientOptions('sqs')).send(
    new GetQueueAttributesCommand({ QueueUrl: url(name), AttributeNames: ['ApproximateNumberOfMessages'] }),
  )
  return Number(Attributes?.['ApproximateNumberOfMessages'])
}

describe("a queue in AWS's time", () => {
  it('hides a failed message until its visibility timeout', async () => {
    const { consumer, cloud, send } = await queued({}, { VisibilityTimeout: 720 }, {}, aws)
    consumer.failing.add('late')
    await send('late')
    await cloud.advance(2_000)
    expect(consumer.batches).toEqual([['late']])
    consumer.failing.clear()
    await cloud.advance(716_000)
    expect(consumer.batches).toHaveLength(1)
    await cloud.advance(4_000)
    expect(consumer.batches).toEqual([['late'], ['late']])
    expect(consumer.last[0]?.['attributes']).toMatchObject({ ApproximateReceiveCount: '2' })
  })

  it('hides a failed message for as long as its consumer says', async () => {
    const { consumer, cloud, send } = await queued({}, { VisibilityTimeout: 720 }, {}, aws)
    const { promise, resolve } = Promise.withResolvers<void>()
    Object.assign(consumer, { hold: promise })
    consumer.failing.add('late')
    await send('late')
    const handled = cloud.advance(2_000)
    await expect.poll(() => consumer.batches).toEqual([['late']])
    const ReceiptHandle = String(consumer.last[0]?.['receiptHandle'])
    await new SQSClient(cloud.clientOptions('sqs')).send(
      new ChangeMessageVisibilityCommand({ QueueUrl: url('Queue'), ReceiptHandle, VisibilityTimeout: 5 }),
    )
    resolve()
    await handled
    consumer.failing.clear()
    await cloud.advance(2_000)
    expect(consumer.batches).toHaveLength(1)
    await cloud.advance(3_000)
    expect(consumer.batches).toEqual([['late'], ['late']])
  })

  it('moves a message to the dead-letter queue after its receive count, hours later in an instant', async () => {
    const { consumer, cloud, send } = await queued(
      {},
      { VisibilityTimeout: 1_800, RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 5 } },
      { Dead: { Type: 'AWS::SQS::Queue' } },
      aws,
    )
    consumer.failing.add('poison')
    const before = cloud.now()
    const realBefore = performance.now()
    await send('poison')
    await cloud.idle()
    expect(consumer.batches).toEqual(Array.from({ length: 5 }, () => ['poison']))
    expect(cloud.now() - before).toBeGreaterThanOrEqual(5 * 1_800_000)
    expect(performance.now() - realBefore).toBeLessThan(60_000)
    await cloud.advance(1_000)
    expect(await countsOf(cloud, 'Dead')).toBe(1)
  })

  it('delivers every message, in any order, late, and a few of them twice', async () => {
    const { consumer, cloud, send } = await queued({ BatchSize: 5 }, {}, {}, aws)
    const sent = Array.from({ length: 300 }, (_, n) => `m${n}`)
    await Promise.all(sent.map((name) => send(name)))
    await cloud.idle()
    const received = consumer.batches.flat()
    expect([...new Set(received)].toSorted()).toEqual(sent.toSorted())
    expect(received.length).toBeGreaterThan(300)
    expect(received.length).toBeLessThan(360)
    expect([...new Set(received)]).not.toEqual(sent)
  })

  it('keeps the order of a FIFO queue, and delivers each message once', async () => {
    const { consumer, cloud, send } = await queued({ BatchSize: 2 }, { FifoQueue: true }, {}, aws)
    const sent = Array.from({ length: 40 }, (_, n) => `a${n}`)
    await send(...sent)
    await cloud.idle()
    expect(consumer.batches.flat()).toEqual(sent)
  })
})
