import { Readable } from 'node:stream'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it, vi } from 'vitest'
import { jsonAnswer, requestHandler } from '../../../../../infra/local/sdk/request-handler.ts'
import { clientOptions } from '../../../../../shared/kernel/runtime/client-options.ts'
import { reportThrottles } from '../../../../../shared/kernel/throttling/retry-strategy.ts'
import { Throttled } from '../../../../../shared/kernel/throttling/throttled.ts'
import { inTimeLimit } from '../../../../../shared/kernel/throttling/time-limit.ts'
import { createSender } from '../../../../../shared/platform/queue/send.ts'

type Answer = ReturnType<typeof jsonAnswer>
type Options = Record<string, unknown>

const refusal = (name: string, statusCode = 400): Answer =>
  jsonAnswer(statusCode, { __type: name, message: 'Slow down' })
const slowDown: Answer = {
  statusCode: 503,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from('<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>'),
}

/** Options of a client whose first `times` calls answer `refused`, and all later ones `accepted`. */
function answering(service: Parameters<typeof clientOptions>[0], times: number, refused: Answer, accepted: Answer) {
  let calls = 0
  const options: Options = {
    ...clientOptions(service),
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: requestHandler(async () => (++calls > times ? accepted : refused)),
  }
  return { options, calls: () => calls }
}

const get = (options: Options) =>
  reportThrottles(new DynamoDBClient(options), 'dynamodb').send(
    new GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } }),
  )
const put = (options: Options) =>
  reportThrottles(new SQSClient({ ...options, md5: false }), 'sqs').send(
    new SendMessageBatchCommand({ QueueUrl: 'http://127.0.0.1/q', Entries: [{ Id: '0', MessageBody: 'a' }] }),
  )
const seal = (options: Options) =>
  reportThrottles(new KMSClient(options), 'kms').send(
    new EncryptCommand({ KeyId: 'k', Plaintext: Buffer.from('secret') }),
  )
const fetchObject = (options: Options) =>
  reportThrottles(new S3Client(options), 's3').send(new GetObjectCommand({ Bucket: 'b', Key: 'k' }))

/** Runs something in a time of its own: pauses cost none, and a busy machine makes none longer. */
async function inOwnTime<T>(run: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  try {
    let isOver = false
    const running = run().finally(() => (isOver = true))
    running.catch(() => undefined)
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersByTimeAsync(1)
    }
    return await running
  } finally {
    vi.useRealTimers()
  }
}

const throttles = [
  ['dynamodb', 'ProvisionedThroughputExceededException', refusal('ProvisionedThroughputExceededException'), get],
  ['dynamodb', 'ThrottlingException', refusal('ThrottlingException'), get],
  ['dynamodb', 'RequestLimitExceeded', refusal('RequestLimitExceeded'), get],
  ['sqs', 'RequestThrottled', refusal('com.amazonaws.sqs#RequestThrottled'), put],
  ['kms', 'ThrottlingException', refusal('ThrottlingException'), seal],
  ['s3', 'SlowDown', slowDown, fetchObject],
  ['s3', '503', { ...slowDown, body: Buffer.from('') }, fetchObject],
] as const

describe.each(throttles)('%s throttled by %s', (service, _name, refused, call) => {
  const accepted = { ...jsonAnswer(200, {}), ...(service === 's3' && { body: Readable.from([]) }) } as Answer

  it('is called again until it accepts', async () => {
    const { options, calls } = answering(service, 4, refused, accepted)
    await inOwnTime(() => call(options))
    expect(calls()).toBe(5)
  })

  it('fails as throttled when the request has no time left, after few calls', async () => {
    const { options, calls } = answering(service, Infinity, refused, accepted)
    let tookMs = 0
    const calling = inOwnTime(async () => {
      const startedAt = Date.now()
      await inTimeLimit(
        () => 1500,
        () => call(options),
      ).finally(() => (tookMs = Date.now() - startedAt))
    })
    await expect(calling).rejects.toThrow(Throttled)
    expect(tookMs).toBeLessThan(1000)
    expect(calls()).toBeGreaterThan(1)
    expect(calls()).toBeLessThan(20)
  })

  it('is not called again when the request is about to end', async () => {
    const { options, calls } = answering(service, Infinity, refused, accepted)
    await expect(
      inTimeLimit(
        () => 900,
        () => call(options),
      ),
    ).rejects.toThrow(Throttled)
    expect(calls()).toBeLessThanOrEqual(2)
  })
})

describe('a client', () => {
  it('repeats a call twice when the service fails otherwise, and reports its error', async () => {
    const { options, calls } = answering('dynamodb', Infinity, refusal('InternalServerError', 500), refusal('never'))
    await expect(get(options)).rejects.toThrow(expect.objectContaining({ name: 'InternalServerError' }))
    expect(calls()).toBe(3)
  })

  it('repeats no call that is wrong', async () => {
    const { options, calls } = answering('dynamodb', Infinity, refusal('ValidationException'), refusal('never'))
    await expect(get(options)).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }))
    expect(calls()).toBe(1)
  })
})

describe('a batch of messages', () => {
  const clock = { now: () => nowMs, sleep: async (ms: number) => void (nowMs += ms), random: () => 0.5 }
  let nowMs = 0
  type Entry = { readonly Id: string }

  it('sends only those again that the queue could not take, and reports those it refuses', async () => {
    const sent: string[][] = []
    const client = {
      send: async ({ input }: { input: { Entries: Entry[] } }) => {
        sent.push(input.Entries.map(({ Id }) => Id))
        if (sent.length > 1) return {}
        return {
          Failed: [
            { Id: '1', Code: 'InternalError', SenderFault: false },
            { Id: '2', Code: 'InvalidMessageContents', SenderFault: true },
          ],
        }
      },
    }
    expect(await createSender(client as never, clock)('q', [{}, {}, {}])).toEqual([
      { index: 2, reason: 'InvalidMessageContents: ' },
    ])
    expect(sent).toEqual([['0', '1', '2'], ['1']])
  })

  it('reports those that the queue cannot take for longer than there is time', async () => {
    let calls = 0
    const client = {
      send: async () => ({ Failed: [{ Id: '0', Code: `Throttled${++calls}`, SenderFault: false }] }),
    }
    expect(await createSender(client as never, clock)('q', [{}])).toMatchObject([{ index: 0 }])
    expect(calls).toBeLessThan(40)
  })
})
