import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { tinyCloud } from '../make/services/tiny-cloud.ts'
import { code, freshConsumer, onlyConsumer, streamed, putter, gate } from '../make/services/tiny-consumer.ts'
import { arnOf, streamOf, tinyFunction, tinyMapping } from '../make/services/tiny-template.ts'

describe('a stream mapping', () => {
  it('delivers changes in order, in the format of Lambda', async () => {
    const { consumer, cloud, put } = await streamed()
    await put('a', 'b', 'c')
    await cloud.idle()
    expect(consumer.batches.flat()).toEqual(['a', 'b', 'c'])
    expect(consumer.last.at(-1)).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      dynamodb: { Keys: { sk: { S: 'c' } }, NewImage: { kind: { S: 'c' } }, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
  })

  it('delivers without delay', async () => {
    const { consumer, cloud, put } = await streamed()
    await put('warm')
    await cloud.idle()
    let fastest = Infinity
    // The best of several: other tests run beside it.
    for (let n = 0; n < 20 && fastest >= 100; n += 1) {
      const start = performance.now()
      await put(`quick-${n}`)
      while (!consumer.batches.flat().includes(`quick-${n}`)) await new Promise((resolve) => setImmediate(resolve))
      fastest = Math.min(fastest, performance.now() - start)
    }
    expect(fastest).toBeLessThan(100)
  })

  it('puts changes that arrive during a batch into the next one, up to the batch size', async () => {
    const { consumer, cloud, put } = await streamed({ BatchSize: 3 })
    const { promise, resolve } = gate()
    consumer.hold = promise
    await put('a', 'b', 'c', 'd', 'e')
    resolve()
    await cloud.idle()
    expect(consumer.batches.map(({ length }) => length)).toEqual([1, 3, 1])
  })

  it('waits for the batching window', async () => {
    const { consumer, cloud, put } = await streamed(
      { MaximumBatchingWindowInSeconds: 1 },
      {},
      { maxBatchingWindowMs: 60 },
    )
    await put('a', 'b', 'c')
    await cloud.idle()
    expect(consumer.batches).toEqual([['a', 'b', 'c']])
  })

  it('delivers only changes that its filters match', async () => {
    const pattern = { dynamodb: { NewImage: { kind: { S: ['yes', { prefix: 'may' }] } } } }
    const { consumer, cloud, put } = await streamed({
      FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] },
    })
    await put('yes-1', 'no-1', 'maybe-1', 'yes-2')
    await cloud.idle()
    expect(consumer.batches.flat()).toEqual(['yes-1', 'maybe-1', 'yes-2'])
  })

  it('retries a failed batch, and continues when it succeeds', async () => {
    const { consumer, cloud, put } = await streamed()
    consumer.failing.add('a')
    await put('a')
    while (consumer.batches.length < 2) await sleep(5)
    consumer.failing.clear()
    await put('b')
    await cloud.idle()
    expect(consumer.batches.at(-1)).toContain('b')
    expect(cloud.logged[0]).toMatchObject({ level: 'ERROR', function: 'ConsumeFunction', message: 'refused a' })
  })

  it('gives each attempt the changes as they were, whatever the function does to them', async () => {
    const { consumer, cloud, put } = await streamed({ BisectBatchOnFunctionError: true, BatchSize: 4 })
    consumer.spoils = true
    consumer.failing.add('c')
    let release = (): void => {}
    consumer.hold = new Promise((resolve) => (release = resolve))
    await put('first')
    await expect.poll(() => consumer.batches.length).toBe(1)
    await put('a', 'b', 'c', 'd')
    release()
    consumer.hold = undefined
    await expect.poll(() => consumer.batches.filter((names) => names.join() === 'c').length).toBeGreaterThan(1)
    consumer.failing.clear()
    await cloud.idle()
    expect(consumer.batches.slice(1, 3)).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
    ])
    expect(consumer.batches.at(-1)).toEqual(['d'])
  })

  it('resumes at the first failure the function reports', async () => {
    const { consumer, cloud, put } = await streamed(
      { FunctionResponseTypes: ['ReportBatchItemFailures'], MaximumBatchingWindowInSeconds: 1 },
      {},
      { maxBatchingWindowMs: 60 },
    )
    consumer.report = true
    consumer.failing.add('c')
    await put('a', 'b', 'c', 'd')
    while (consumer.batches.length < 2) await sleep(5)
    consumer.failing.clear()
    await cloud.idle()
    expect(consumer.batches.slice(0, 2)).toEqual([
      ['a', 'b', 'c', 'd'],
      ['c', 'd'],
    ])
  })

  it('retries the whole batch when the function reports unknown identifiers', async () => {
    const { consumer, cloud, put } = await streamed({ FunctionResponseTypes: ['ReportBatchItemFailures'] })
    consumer.report = 'nonsense'
    await put('a')
    while (consumer.batches.length < 2) await sleep(5)
    consumer.report = true
    await cloud.idle()
  })

  it.each([true, false])(
    'isolates a poison record by bisection and keeps it in the failure bucket (function reports items: %s)',
    async (report) => {
      const { consumer, cloud, put } = await streamed(
        {
          BisectBatchOnFunctionError: true,
          MaximumRetryAttempts: 1,
          MaximumBatchingWindowInSeconds: 1,
          DestinationConfig: { OnFailure: { Destination: arnOf('Failed') } },
          ...(report && { FunctionResponseTypes: ['ReportBatchItemFailures'] }),
        },
        { Failed: { Type: 'AWS::S3::Bucket' } },
        { onDisk: true, maxBatchingWindowMs: 60 },
      )
      consumer.report = report
      consumer.failing.add('poison')
      await put('a', 'b', 'poison', 'c', 'd')
      await cloud.idle()
      // With item reports, everything before the poison record succeeded in its batch; otherwise only batches without
      // it.
      const passed = consumer.batches.flatMap((batch) =>
        batch.includes('poison') ? (report ? batch.slice(0, batch.indexOf('poison')) : []) : batch,
      )
      expect([...new Set(passed)]).toEqual(['a', 'b', 'c', 'd'])
      expect(
        consumer.batches.filter((batch) => batch.length === 1 && batch[0] === 'poison').length,
      ).toBeGreaterThanOrEqual(2)
      const [kept] = await keptFailures(join(cloud.folder, 'data', 'files'))
      expect(kept).toMatchObject({
        version: '1.0',
        requestContext: {
          condition: 'RetryAttemptsExhausted',
          functionArn: expect.stringContaining(':function:ConsumeFunction'),
        },
        DDBStreamBatchInfo: { batchSize: 1 },
      })
      expect(JSON.parse(kept!.payload).Records[0].dynamodb.Keys.sk.S).toBe('poison')
    },
  )

  it('sends the record of a failed batch to a queue without its items, as AWS does', async () => {
    const { consumer, cloud, put } = await streamed(
      { MaximumRetryAttempts: 0, DestinationConfig: { OnFailure: { Destination: arnOf('Failed') } } },
      { Failed: { Type: 'AWS::SQS::Queue' } },
    )
    consumer.failing.add('a')
    await put('a')
    await cloud.idle()
    const client = new SQSClient(cloud.clientOptions('sqs'))
    const { ReceiveMessageCommand } = await import('@aws-sdk/client-sqs')
    const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl: 'http://sqs.in-process/0/Failed' }))
    const account = JSON.parse(Messages![0]!.Body!)
    expect(account.DDBStreamBatchInfo.batchSize).toBe(1)
    expect(account).not.toHaveProperty('payload')
  })

  it('redelivers unaccepted batches after a restart, and no accepted ones', async () => {
    const { consumer, cloud, put } = await streamed({ BatchSize: 1 }, {}, { onDisk: true })
    await put('a')
    await cloud.idle()
    consumer.failing.add('b')
    await put('b', 'c')
    while (!consumer.batches.flat().includes('b')) await sleep(5)
    consumer.batches.length = 0
    consumer.failing.clear()
    const again = await cloud.restart()
    await again.idle()
    expect(consumer.batches.flat().filter((name) => name === 'a')).toEqual([])
    expect(consumer.batches.flat()).toEqual(expect.arrayContaining(['b', 'c']))
  })

  it('repeats a delivery on a repeat fault, as AWS may', async () => {
    const { consumer, cloud, put } = await streamed()
    const fault = cloud.faults.inject({ service: 'lambda', operation: 'Invoke', action: 'repeat' })
    await put('a')
    await cloud.idle()
    expect(consumer.batches).toEqual([['a'], ['a']])
    expect(fault.struck).toBe(1)
  })

  it('delivers the same changes to two functions, each at its own pace', async () => {
    const consumer = freshConsumer()
    const slow = `${code}\nexport const other = async ({ Records }) => { (globalThis.tinyConsumer.other ??= []).push(...Records.map(nameOf)) }`
    const cloud = await tinyCloud({
      code: slow,
      resources: onlyConsumer(tinyMapping('ConsumeFunction', streamOf('Table')), {
        OtherFunction: tinyFunction('other'),
        OtherMapping: tinyMapping('OtherFunction', streamOf('Table')),
      }),
    })
    const { promise, resolve } = gate()
    consumer.hold = promise
    await putter(cloud)('a', 'b')
    await expect.poll(() => (consumer as { other?: string[] }).other).toEqual(['a', 'b'])
    expect(consumer.batches).toEqual([['a']])
    resolve()
    await cloud.idle()
    expect(consumer.batches.flat()).toEqual(['a', 'b'])
  })
})

async function keptFailures(directory: string): Promise<{ payload: string }[]> {
  const files = await readdir(directory, { recursive: true })
  const kept = files.filter((file) => file.endsWith('.data'))
  return Promise.all(kept.map(async (file) => JSON.parse(await readFile(join(directory, file), 'utf8'))))
}
