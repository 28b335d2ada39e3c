import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { KinesisClient } from '@aws-sdk/client-kinesis'
import { describe, expect, it } from 'vitest'
import { eventBridgeSender } from '../../../../../../shared/messages/senders/aws/eventbridge.ts'
import { kinesisSender } from '../../../../../../shared/messages/senders/aws/kinesis.ts'

const message = (more: object = {}) => ({
  id: 'msg_1_0',
  tenant: { id: 1, slug: 'acme' },
  recipient: 'orders',
  event: 'orders.after_create',
  body: '{"title":"Lämp"}',
  createdAt: '2026-11-20T08:00:00.500Z',
  ...more,
})
const envelope = {
  id: 'msg_1_0',
  type: 'orders.after_create',
  timestamp: '2026-11-20T08:00:00.500Z',
  tenant: 'acme',
  data: { title: 'Lämp' },
}

interface Call {
  readonly host: string
  readonly target?: string
  readonly input: any
}
type Answer = { readonly status: number; readonly body: object } | Error

/** Options of a client whose service answers as said. A fault that the SDK repeats is answered again. */
function scripted(answer: Answer) {
  const calls: Call[] = []
  const requestHandler = {
    handle: async ({
      hostname,
      headers,
      body,
    }: {
      hostname: string
      headers: Record<string, string>
      body: string
    }) => {
      calls.push({ host: hostname, target: headers['x-amz-target'], input: JSON.parse(Buffer.from(body).toString()) })
      if (answer instanceof Error) throw answer
      const bytes = Buffer.from(JSON.stringify(answer.body))
      return {
        response: { statusCode: answer.status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: bytes },
      }
    },
  }
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' }
  return { calls, options: { region: 'eu-central-1', credentials, requestHandler, maxAttempts: 1 } as object }
}
const failure = (type: string, more: object = {}): Answer => ({
  status: 400,
  body: { __type: type, message: 'User: arn:aws:sts::123456789012:assumed-role/secret is not authorized', ...more },
})
const accepted = { status: 200, body: { ShardId: 'shardId-000000000000', SequenceNumber: '1' } }

function kinesis(answer: Answer) {
  const { calls, options } = scripted(answer)
  const regions: (string | undefined)[] = []
  const sender = kinesisSender({
    openClient: (region) => {
      regions.push(region)
      return new KinesisClient({ ...options, ...(region !== undefined && { region }) })
    },
  })
  const send = (more: object = {}, config: object = {}) =>
    sender.send(message(more), {
      id: 3,
      name: 'stream',
      config: { provider: 'kinesis', stream_name: 'orders', ...config },
      signingSecrets: [],
    })
  return { calls, regions, send }
}

function eventBridge(answer: Answer) {
  const { calls, options } = scripted(answer)
  const sender = eventBridgeSender({ client: new EventBridgeClient(options) })
  const config = { bus_name: 'orders', detail_type: 'Order changed' }
  return {
    calls,
    send: (more: object = {}) => sender.send(message(more), { id: 3, name: 'bus', config, signingSecrets: [] }),
  }
}

type Failure = readonly [string, Answer, string | undefined, RegExp]
const commonFailures: readonly Failure[] = [
  [
    'is not known',
    failure('ResourceNotFoundException'),
    'ResourceNotFoundException',
    /AWS does not know the .* "orders": create it, or correct config/,
  ],
  [
    'may not be written',
    failure('AccessDeniedException'),
    'AccessDeniedException',
    /This service may not write .* allow it (kinesis|events):Put/,
  ],
  ['is throttled', failure('ThrottlingException'), 'ThrottlingException', /accepts no more .* now/],
  [
    'has an unknown fault',
    { status: 500, body: { __type: 'InternalFailure' } },
    'InternalFailure',
    /did not accept the message/,
  ],
  [
    'is not reached',
    Object.assign(new Error('x'), { code: 'ECONNRESET' }),
    undefined,
    /could not be reached: ECONNRESET/,
  ],
]

describe('a record of a stream', () => {
  it('carries the envelope, with the key of the message as its partition key', async () => {
    const { calls, send } = kinesis(accepted)
    expect(await send({ key: 'customer-7' })).toEqual({ kind: 'delivered', excerpt: 'shardId-000000000000' })
    const [{ target, input }] = calls as [Call]
    expect(target).toBe('Kinesis_20131202.PutRecord')
    expect(input).toMatchObject({ StreamName: 'orders', PartitionKey: 'customer-7' })
    expect(JSON.parse(Buffer.from(input.Data, 'base64').toString())).toEqual(envelope)
  })

  it.each([undefined, ''])('has the id of the message as its partition key when the key is %j', async (key) => {
    const { calls, send } = kinesis(accepted)
    await send({ key })
    expect(calls[0]?.input.PartitionKey).toBe('msg_1_0')
  })

  it('goes to the region of the channel, else to that of the function, over one client each', async () => {
    const { calls, regions, send } = kinesis(accepted)
    await send({}, { region: 'us-east-1' })
    await send({}, { region: 'us-east-1' })
    await send()
    expect(calls.map(({ host }) => host)).toEqual([
      'kinesis.us-east-1.amazonaws.com',
      'kinesis.us-east-1.amazonaws.com',
      'kinesis.eu-central-1.amazonaws.com',
    ])
    expect(regions).toEqual(['us-east-1', undefined])
  })

  it.each<Failure>([
    ...commonFailures,
    [
      'has no capacity',
      failure('ProvisionedThroughputExceededException'),
      'ProvisionedThroughputExceededException',
      /accepts no more .* raise its capacity/,
    ],
    [
      'has no key',
      failure('KMSDisabledException'),
      'KMSDisabledException',
      /key that encrypts the stream "orders" cannot be used/,
    ],
    ['calls it invalid', failure('ValidationException'), 'ValidationException', /did not accept the message/],
  ])('fails when the stream %s', async (_what, answer, code, error) => {
    const outcome = await kinesis(answer).send()
    expect(outcome).toEqual({ kind: 'failed', error: expect.stringMatching(error), ...(code && { code }) })
    expect(JSON.stringify(outcome)).not.toContain('123456789012')
  })

  it('is refused with its size when the stream calls a large one invalid', async () => {
    const body = JSON.stringify('x'.repeat(1024 * 1024))
    expect(await kinesis(failure('ValidationException')).send({ body })).toEqual({
      kind: 'refused',
      by: 'receiver',
      code: 'ValidationException',
      error: expect.stringMatching(/^The message has 10\d{5} bytes, which is more than the stream "orders" accepts/),
    })
    // The limit of a stream can be raised.
    expect(await kinesis(accepted).send({ body })).toMatchObject({ kind: 'delivered' })
  })

  it('is not even sent when it is larger than any stream accepts', async () => {
    const { calls, send } = kinesis(accepted)
    expect(await send({ body: JSON.stringify('x'.repeat(10 * 1024 * 1024)) })).toMatchObject({
      kind: 'refused',
      by: 'service',
    })
    expect(calls).toEqual([])
  })
})

describe('an event of a bus', () => {
  const put = { status: 200, body: { FailedEntryCount: 0, Entries: [{ EventId: 'e-1' }] } }
  const failedEntry = (ErrorCode: string): Answer => ({
    status: 200,
    body: { FailedEntryCount: 1, Entries: [{ ErrorCode, ErrorMessage: 'arn:aws:iam::123456789012:role/secret' }] },
  })

  it('carries the envelope as its detail', async () => {
    const { calls, send } = eventBridge(put)
    expect(await send()).toEqual({ kind: 'delivered', excerpt: 'e-1' })
    const [{ target, input }] = calls as [Call]
    expect(target).toBe('AWSEvents.PutEvents')
    expect(input.Entries).toEqual([
      {
        EventBusName: 'orders',
        Source: 'entity-workflow',
        DetailType: 'Order changed',
        Detail: JSON.stringify(envelope),
        Time: Date.parse(envelope.timestamp) / 1000,
      },
    ])
  })

  it.each<Failure>([
    ...commonFailures,
    ['does not take the entry', failedEntry('InternalFailure'), 'InternalFailure', /did not accept the message/],
    ['throttles the entry', failedEntry('ThrottlingException'), 'ThrottlingException', /accepts no more .* now/],
    ['may not be written by the entry', failedEntry('AccessDeniedException'), 'AccessDeniedException', /may not write/],
  ])('fails when the bus %s', async (_what, answer, code, error) => {
    const outcome = await eventBridge(answer).send()
    expect(outcome).toEqual({ kind: 'failed', error: expect.stringMatching(error), ...(code && { code }) })
    expect(JSON.stringify(outcome)).not.toContain('123456789012')
  })

  it('is refused with its size when it is too large', async () => {
    const { calls, send } = eventBridge(failure('ValidationException'))
    expect(await send({ body: JSON.stringify('x'.repeat(300 * 1024)) })).toMatchObject({
      kind: 'refused',
      error: expect.stringMatching(/has 30\d{4} bytes/),
    })
    expect(await send({ body: JSON.stringify('x'.repeat(1024 * 1024)) })).toMatchObject({
      kind: 'refused',
      by: 'service',
    })
    expect(calls).toHaveLength(1)
  })
})
