import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpenedChannel } from '../../../../../../shared/messages/channels/channel.ts'
import { phoneNumber } from '../../../../../../shared/messages/senders/sms/phone-number.ts'
import { smsGateway } from '../../../../../../shared/messages/senders/sms/sms-gateway.ts'
import { smsThroughSns } from '../../../../../../shared/messages/senders/sms/sms-sns.ts'
import { smsSender } from '../../../../../../shared/messages/senders/sms/sms.ts'
import { guardedRequests } from '../../../../../../shared/platform/net/guarded-request.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { type ScriptedAnswer, scriptedReceiver } from '../../../../../make/services/servers/scripted-receiver.ts'

const message = (body = 'Your lamp is ready.', recipient = '+49 151 12345678') => ({
  id: 'msg_1_0',
  tenant: { id: 1, slug: 'acme' },
  recipient,
  createdAt: '2026-11-20T08:00:00.000Z',
  body,
})
const channel = (config: Partial<OpenedChannel<'sms'>['config']> = {}): OpenedChannel<'sms'> => ({
  id: 4,
  name: 'texts',
  config: { provider: 'http', ...config },
  signingSecrets: [],
})

let answer: ScriptedAnswer
let receiver: Awaited<ReturnType<typeof scriptedReceiver>>
beforeAll(async () => {
  receiver = await scriptedReceiver(() => answer)
})
afterAll(() => receiver?.close())
afterEach(() => void receiver.received.splice(0))

const time = frozenClock()
const gateway = smsGateway({
  clock: time,
  send: guardedRequests({ timeoutMs: 500, maxAnswerBytes: 2048, allowLoopback: true }),
})
const neverSns = () => Promise.reject(new Error('not through SNS'))
const sender = smsSender({ http: gateway, sns: neverSns })
const toGateway = (config: object = {}) => channel({ url: `${receiver.url}/texts`, ...config })

it.each([
  ['+4915112345678', '+4915112345678'],
  ['+49 (151) 123-456.78', '+4915112345678'],
  ['0049 151 12345678', '+4915112345678'],
  ['+1 202-555-0143', '+12025550143'],
  ['0151 12345678', undefined],
  ['4915112345678', undefined],
  ['+0151123456', undefined],
  ['+49151', undefined],
  ['+4915112345678901234', undefined],
  ['+49151\u0661\u0662345678', undefined],
  ['+4915112345678;+4915112345679', undefined],
  ['ada@example.com', undefined],
  ['', undefined],
])('the number %j is read as %j', (text, number) => {
  expect(phoneNumber(text)).toBe(number)
})

describe('an SMS', () => {
  it.each([
    ['Hi', '0151 12345678', '"0151 12345678" is not a phone number'],
    [' ', '+4915112345678', 'needs a text'],
    ['x'.repeat(1601), '+4915112345678', '1601 characters'],
  ])('is refused when it is %j to %j', async (text, to, error) => {
    expect(await sender.send(message(text, to), toGateway())).toEqual({
      kind: 'refused',
      by: 'service',
      error: expect.stringContaining(error),
    })
    expect(receiver.received).toEqual([])
  })

  it('may have 1,600 characters', async () => {
    answer = { status: 200 }
    expect(await sender.send(message('x'.repeat(1600)), toGateway())).toMatchObject({ kind: 'delivered' })
  })
})

describe('an HTTP gateway', () => {
  it('gets number and text as JSON, with the same key in every attempt', async () => {
    answer = { status: 202, body: '{"queued":true}' }
    const config = { auth: { type: 'bearer' as const, token: 'sk-1' }, sender_id: 'ACME' }
    for (const _ of [1, 2])
      expect(await sender.send(message(), toGateway(config))).toEqual({
        kind: 'delivered',
        code: '202',
        excerpt: '{"queued":true}',
      })
    const [first, second] = receiver.received
    expect([first?.method, first?.path, first?.headers['authorization'], first?.headers['content-type']]).toEqual([
      'POST',
      '/texts',
      'Bearer sk-1',
      'application/json',
    ])
    expect(JSON.parse(first?.body ?? '')).toEqual({
      id: 'msg_1_0',
      to: '+4915112345678',
      text: 'Your lamp is ready.',
      sender_id: 'ACME',
    })
    expect(first?.headers['idempotency-key']).toBe('msg_1_0')
    expect([second?.headers['idempotency-key'], second?.body]).toEqual(['msg_1_0', first?.body])
  })

  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [302, 'failed'],
    [400, 'refused'],
    [401, 'failed'],
    [404, 'refused'],
    [408, 'failed'],
    [422, 'refused'],
    [425, 'failed'],
    [429, 'failed'],
    [500, 'failed'],
  ])('that answers %i makes the outcome %s', async (status, kind) => {
    answer = { status }
    expect(await sender.send(message(), toGateway())).toMatchObject({ kind, code: String(status) })
  })

  it('is left alone for as long as it asks', async () => {
    answer = { status: 429, headers: { 'retry-after': '30' } }
    expect(await sender.send(message(), toGateway())).toMatchObject({ kind: 'failed', retryAfterMs: 30_000 })
  })

  it('has to be on the public internet', async () => {
    expect(await sender.send(message(), channel({ url: 'http://10.0.0.1/' }))).toMatchObject({
      kind: 'refused',
      by: 'service',
    })
  })
})

describe('SNS', () => {
  const throughSns = (send: () => Promise<unknown>) =>
    smsSender({ http: gateway, sns: smsThroughSns({ send: send as never }) })
  const fault = (name: string, text = 'User: arn:aws:iam::1:role/x is not permitted') =>
    Object.assign(new Error(text), { name, $fault: 'client' })

  it('is asked to send the text to the number, under the name of the channel', async () => {
    const send = vi.fn<(command: { input: object }) => Promise<object>>(async () => ({ MessageId: 'm-1' }))
    const outcome = await throughSns(send as never).send(message(), channel({ provider: 'sns', sender_id: 'ACME' }))
    expect(outcome).toEqual({ kind: 'delivered', excerpt: 'MessageId m-1' })
    expect(send.mock.calls[0]?.[0].input).toEqual({
      PhoneNumber: '+4915112345678',
      Message: 'Your lamp is ready.',
      MessageAttributes: {
        'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' },
        'AWS.SNS.SMS.SenderID': { DataType: 'String', StringValue: 'ACME' },
      },
    })
  })

  it.each([
    ['InvalidParameterException', 'refused'],
    ['InvalidParameterValueException', 'refused'],
    ['OptedOut', 'refused'],
    ['AuthorizationErrorException', 'failed'],
    ['ThrottledException', 'failed'],
    ['Throttling', 'failed'],
    ['InternalErrorException', 'failed'],
  ])('that answers %s makes the outcome %s, without what AWS says about its operator', async (name, kind) => {
    const outcome = await throughSns(() => Promise.reject(fault(name))).send(message(), channel({ provider: 'sns' }))
    expect(outcome).toMatchObject({ kind, code: name.replace('Exception', '') })
    expect(JSON.stringify(outcome)).not.toContain('arn:')
  })

  it('that cannot be reached makes the outcome failed', async () => {
    const send = () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))
    expect(await throughSns(send).send(message(), channel({ provider: 'sns' }))).toEqual({
      kind: 'failed',
      error: 'SNS could not be reached: ECONNREFUSED.',
    })
  })
})
