import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import type { ChannelType } from '../../../../../../shared/messages/channels/channel-types.ts'
import { checkConfig } from '../../../../../../shared/messages/channels/config/check-config.ts'

function errorsOf(type: ChannelType, config: unknown): Readonly<Record<string, string[]>> {
  try {
    checkConfig(type, config)
    return {}
  } catch (error) {
    if (error instanceof Invalid) return error.errors
    throw error
  }
}
const url = 'https://crm.example.com/hooks'
const stream = { provider: 'kinesis', stream_name: 'changes' }
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe('the configuration of a channel', () => {
  it.each<[ChannelType, object]>([
    ['messenger', { bot_token: '1:a' }],
    ['email', { transport: 'smtp', host: 'mail.example.com', port: 587, from_address: 'desk@example.com' }],
    ['email', { transport: 'ses', from_address: 'desk@example.com' }],
    ['sms', { provider: 'sns' }],
    ['sms', { provider: 'http', url, auth: { type: 'bearer', token: 'x' } }],
    ['webhook', { url, auth: { type: 'basic', username: 'a', password: 'b' }, secret, headers: { 'X-Team': 'it' } }],
    ['stream', stream],
    ['stream', { ...stream, region: 'us-gov-west-1' }],
    ['amqp', { url: 'amqp://user:pass@broker.example.com', exchange: '' }],
    ['amqp', { url: '********', exchange: 'orders', routing_key: 'new' }],
    ['eventbridge', { bus_name: 'default', detail_type: 'change', retry_schedule: [0, 10] }],
  ])('of type %s takes %j', (type, config) => {
    expect(errorsOf(type, config)).toEqual({})
  })

  it('sends without credentials unless it names some', () => {
    expect(checkConfig('webhook', { url })).toEqual({ url, auth: { type: 'none' } })
  })

  it.each<[string, ChannelType, object, string, RegExp]>([
    ['an unknown member', 'webhook', { url, secrett: 'x' }, 'config.secrett', /Did you mean secret\?/],
    ['a word that is near none', 'webhook', { url, timeout: 1 }, 'config.timeout', /It has url, auth, secret, headers/],
    ['a missing member', 'messenger', {}, 'config.bot_token', /required for a channel of type messenger/],
    ['another scheme', 'webhook', { url: 'file:///etc/passwd' }, 'config.url', /http or https/],
    ['credentials in an address', 'webhook', { url: 'https://a:b@example.com' }, 'config.url', /auth/],
    ['a secret that is too short', 'webhook', { url, secret: 'whsec_YWJj' }, 'config.secret', /24 to 64 bytes/],
    ['an unknown kind of auth', 'webhook', { url, auth: { type: 'oauth' } }, 'config.auth.type', /none, basic, bearer/],
    ['a line break in a header', 'webhook', { url, headers: { A: 'b\r\nc: d' } }, 'config.headers.A', /control/],
    [
      'a header with letters that HTTP does not carry',
      'webhook',
      { url, headers: { A: '→' } },
      'config.headers.A',
      /Latin-1/,
    ],
    [
      'a line break in the name of a header',
      'webhook',
      { url, headers: { 'A\r\nB': 'c' } },
      'config.headers.A\r\nB',
      /letters, digits/,
    ],
    [
      'a header that is named twice',
      'webhook',
      { url, headers: { 'X-A': 'b', 'x-a': 'c' } },
      'config.headers.x-a',
      /x-a is named twice/,
    ],
    [
      'a line break in a token',
      'webhook',
      { url, auth: { type: 'bearer', token: 'a\r\nb: c' } },
      'config.auth.token',
      /control/,
    ],
    ['SMTP without a host', 'email', { transport: 'smtp', from_address: 'a@example.com' }, 'config.host', /required/],
    ['a gateway without an address', 'sms', { provider: 'http' }, 'config.url', /required/],
    ['an address that is no broker', 'amqp', { url: 'https://broker', exchange: '' }, 'config.url', /amqps:/],
    [
      'a long routing key',
      'amqp',
      { url: 'amqp://b', exchange: '', routing_key: 'ö'.repeat(128) },
      'config.routing_key',
      /255 bytes/,
    ],
    [
      'a region that is a host',
      'stream',
      { ...stream, region: 'a.example.com/#' },
      'config.region',
      /such as eu-central-1/,
    ],
    [
      'the ARN of a stream',
      'stream',
      { ...stream, stream_name: 'arn:aws:kinesis:eu:1:stream/a' },
      'config.stream_name',
      /no name/,
    ],
    [
      'the ARN of a bus',
      'eventbridge',
      { bus_name: 'arn:aws:events:eu:1:event-bus/a', detail_type: 'a' },
      'config.bus_name',
      /no name/,
    ],
    ['an empty schedule', 'webhook', { url, retry_schedule: [] }, 'config.retry_schedule', /invalid/],
  ])('is refused for %s', (_what, type, config, path, message) => {
    expect(errorsOf(type, config)[path]?.[0]).toMatch(message)
  })

  const reserved =
    'Host transfer-encoding Connection Expect content-length Keep-Alive TE Trailer Upgrade Proxy-Authorization proxy-connection'
  const others =
    'HTTP2-Settings Content-Type content-encoding User-Agent webhook-signature Webhook-Id webhook-timestamp Idempotency-Key'

  it.each(`${reserved} ${others}`.split(' '))(
    'may not set %s, which belongs to the service or to the connection',
    (name) => {
      const message = [`The header ${name} belongs to the service or to the connection: leave it out.`]
      expect(errorsOf('webhook', { url, headers: { [name]: 'a' } })).toEqual({ [`config.headers.${name}`]: message })
      const auth = { type: 'header', name, value: 'a' }
      expect(errorsOf('webhook', { url, auth })).toEqual({ 'config.auth.name': message })
      expect(errorsOf('sms', { provider: 'http', url, auth })).toEqual({ 'config.auth.name': message })
    },
  )
})
