import { describe, expect, it } from 'vitest'
import { ForbiddenHost } from '../../../../../../shared/kernel/addresses/public-address.ts'
import type { OpenedChannel } from '../../../../../../shared/messages/channels/channel.ts'
import { retryAfterMs } from '../../../../../../shared/messages/senders/http/request-failure.ts'
import { signWebhook } from '../../../../../../shared/messages/senders/http/webhook-signature.ts'
import { webhookSender } from '../../../../../../shared/messages/senders/http/webhook.ts'
import type { GuardedRequest } from '../../../../../../shared/platform/net/guarded-request.ts'

const nowMs = 1_614_265_330_500
const message = {
  id: 'msg_1_0',
  tenant: { id: 1, slug: 'acme' },
  recipient: 'https://crm.example.com',
  event: 'requests.created',
  body: '{"title":"Lämp"}',
  createdAt: '2026-11-20T08:00:00.000Z',
}
const channel = (config: object = {}, signingSecrets: readonly string[] = []): OpenedChannel<'webhook'> => ({
  id: 3,
  name: 'crm',
  config: { url: 'https://crm.example.com/hooks', auth: { type: 'none' }, ...config },
  signingSecrets,
})
const answering =
  (status: number, headers: object = {}) =>
  async () => ({ status, headers: headers as never, excerpt: 'said' })

async function sent(config: object = {}, secrets: readonly string[] = [], more: object = {}): Promise<GuardedRequest> {
  let request: GuardedRequest | undefined
  const send = async (one: GuardedRequest) => {
    request = one
    return answering(200)()
  }
  await webhookSender({ clock: { now: () => nowMs }, send }).send({ ...message, ...more }, channel(config, secrets))
  return request as GuardedRequest
}

describe('the signature', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

  it('is that of the published test vector', () => {
    expect(signWebhook([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('covers id, time and body of the request, once for each secret', async () => {
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const { headers, body = '' } = await sent({}, [other, secret])
    expect(headers['webhook-id']).toBe('msg_1_0')
    expect(headers['webhook-timestamp']).toBe('1614265330')
    expect(headers['webhook-signature']).toBe(
      [other, secret].map((one) => signWebhook([one], 'msg_1_0', 1_614_265_330, body)).join(' '),
    )
  })

  it('is left out without a secret', async () => {
    expect((await sent()).headers).not.toHaveProperty('webhook-signature')
  })
})

describe('a webhook', () => {
  it('carries its data in an envelope', async () => {
    const { method, url, body = '', headers } = await sent()
    expect([method, url, headers['content-type']]).toEqual([
      'POST',
      'https://crm.example.com/hooks',
      'application/json',
    ])
    expect(JSON.parse(body)).toEqual({
      id: 'msg_1_0',
      type: 'requests.created',
      timestamp: '2026-11-20T08:00:00.000Z',
      tenant: 'acme',
      data: { title: 'Lämp' },
    })
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
    expect(Object.keys(headers)).not.toContain('webhook-record-version')
  })

  it('of a change says which version it tells, when it was made, and that a newer one came before', async () => {
    const change = { version: 2, at: '2026-11-20T07:59:58.000Z' }
    const { body = '', headers } = await sent({}, [], { change })
    expect(JSON.parse(body).timestamp).toBe(change.at)
    expect(headers).toMatchObject({ 'webhook-record-version': '2', 'webhook-event-time': change.at })
    expect(headers).not.toHaveProperty('webhook-superseded-by')
    const overtaken = await sent({}, [], { change, supersededBy: 3 })
    expect(overtaken.headers['webhook-superseded-by']).toBe('3')
    expect(overtaken.body).toBe(body)
  })

  it.each([
    [{ type: 'basic', username: 'desk', password: 'pass' }, { authorization: 'Basic ZGVzazpwYXNz' }],
    [{ type: 'bearer', token: 'sk-1' }, { authorization: 'Bearer sk-1' }],
    [{ type: 'header', name: 'X-Api-Key', value: 'k' }, { 'x-api-key': 'k' }],
  ])('identifies itself by %j', async (auth, headers) => {
    expect((await sent({ auth })).headers).toMatchObject(headers)
  })

  it('carries the headers of its channel, which replace none of its own', async () => {
    const { headers } = await sent({
      headers: { 'X-Team': 'it', 'Webhook-Id': 'forged', 'Content-Type': 'text/plain' },
    })
    expect(headers).toMatchObject({ 'x-team': 'it', 'webhook-id': 'msg_1_0', 'content-type': 'application/json' })
    expect(Object.keys(headers).filter((name) => name.toLowerCase() === 'webhook-id')).toHaveLength(1)
  })
})

describe('the outcome', () => {
  const outcomeOf = (send: () => Promise<never> | ReturnType<ReturnType<typeof answering>>) =>
    webhookSender({ clock: { now: () => nowMs }, send }).send(message, channel())

  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [302, 'failed'],
    [400, 'failed'],
    [410, 'gone'],
    [429, 'failed'],
    [500, 'failed'],
  ])('of status %i is %s', async (status, kind) => {
    expect(await outcomeOf(answering(status))).toMatchObject({ kind, code: String(status), excerpt: 'said' })
  })

  it('says how long the receiver asks to wait', async () => {
    expect(await outcomeOf(answering(503, { 'retry-after': '120' }))).toMatchObject({ retryAfterMs: 120_000 })
  })

  it.each([
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'failed', 'ECONNREFUSED'],
    [Object.assign(new Error('x'), { code: 'ENOTFOUND' }), 'failed', 'could not be resolved'],
    [new DOMException('x', 'TimeoutError'), 'failed', 'within 15 s'],
    [new ForbiddenHost('10.0.0.1 is not public.'), 'refused', 'not public'],
  ])('of %s is %s', async (error, kind, text) => {
    expect(await outcomeOf(() => Promise.reject(error))).toEqual({
      kind,
      ...(kind === 'refused' && { by: 'service' }),
      error: expect.stringContaining(text),
    })
  })
})

it.each([
  ['120', 120_000],
  ['Thu, 25 Feb 2021 15:02:20 GMT', 9500],
  ['Thu, 25 Feb 2021 14:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After: %s asks to wait for %s ms', (header, waits) => {
  expect(retryAfterMs(header, nowMs)).toBe(waits)
})
