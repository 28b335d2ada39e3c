import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../../../shared/messages/channels/channel.ts'
import { mailOf, messageOf } from '../../../../../shared/messages/notifications/message-of.ts'
import type { NotificationIntent } from '../../../../../shared/scripts/api/notification-intent.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const source = { tenant, model: 'requests', recordId: 4, runId: 'r.1', hook: 'after_create' }
const channel = (type: Channel['type'], config: object = {}): Channel => ({
  id: 3,
  name: 'c',
  type,
  direction: 'outgoing',
  isDefault: true,
  isEnabled: true,
  config: { ...config },
  sealed: {},
  version: 1,
})
type ToChannel = Exclude<NotificationIntent, { method: 'sendPushNotification' }>
const sent = (intent: ToChannel, through: Channel) =>
  messageOf(
    async (_, code) => (code === 'known' ? { subject: 's', body: 'b', translations: {} } : undefined),
    intent,
    source,
    through,
  )
const toAll = (through: Channel, body = 'hi') =>
  sent({ method: 'sendToChannel', channel: 3, message: { recipients: ['a', 'b'], body } }, through)

describe('what a method sends', () => {
  it('names users whose addresses are looked up', async () => {
    const intent = { method: 'sendMessenger', text: 'hi', user_ids: [3, 4], channel: null } as const
    expect(await sent({ ...intent, user_ids: [3, 4] }, channel('messenger'))).toEqual({
      recipients: ['user:3', 'user:4'],
      content: { body: 'hi' },
    })
  })

  it('has the template as it is now, or says that there is none', async () => {
    const mail = { method: 'sendEmail', to: 'a@b.c', params: { n: 1 }, channel: null } as const
    expect(await sent({ ...mail, template: 'known' }, channel('email'))).toEqual({
      recipients: ['a@b.c'],
      content: { body: '', template: { subject: 's', body: 'b', translations: {} }, params: { n: 1 } },
    })
    expect(await sent({ ...mail, template: 'kwown' }, channel('email'))).toEqual({
      problem: 'there is no notification template "kwown"; nothing was sent.',
    })
  })

  it('goes to the place that the channel is, with the key that was given', async () => {
    const intent = { method: 'publish', payload: { a: 1 }, channel: 'stream' } as const
    expect(await sent({ ...intent, key: 'k' }, channel('stream', { stream_name: 'orders' }))).toEqual({
      recipients: ['orders'],
      content: { event: 'requests.after_create', body: '{"a":1}', key: 'k' },
    })
    expect(await sent({ ...intent, key: null }, channel('amqp', { exchange: 'desk' }))).toMatchObject({
      recipients: ['desk'],
    })
    const hook = { method: 'sendWebhook', payload: 1, channel: null } as const
    const url = 'https://crm.example.com/in?key=secret'
    expect(await sent(hook, channel('webhook', { url }))).toMatchObject({ recipients: ['https://crm.example.com/in'] })
  })

  it('to a channel uses addresses as they are, where the type has addresses', async () => {
    expect(await toAll(channel('sms'))).toEqual({ recipients: ['a', 'b'], content: { body: 'hi' } })
    expect(await toAll(channel('messenger'))).toMatchObject({ recipients: ['a', 'b'] })
    expect(await toAll(channel('email'))).toMatchObject({ recipients: ['a', 'b'], content: { subject: 'hi' } })
    expect(await toAll(channel('eventbridge', { bus_name: 'main' }))).toMatchObject({
      recipients: ['main'],
      content: { body: '{"recipients":["a","b"],"body":"hi"}' },
    })
  })
})

describe('a mail of a body alone', () => {
  it('has the first line as its subject', () => {
    expect(mailOf('\n  Printer  is on fire \nsecond')).toMatchObject({ subject: 'Printer is on fire' })
    expect(mailOf('<h1>Hello\nyou</h1><p>text</p>')).toEqual({
      subject: 'Hello',
      body: '<h1>Hello\nyou</h1><p>text</p>',
    })
    expect(mailOf('x'.repeat(300)).subject).toHaveLength(100)
    expect(mailOf('').subject).toBe('')
  })

  it('without tags is plain text, whose characters are kept', () => {
    expect(mailOf('a < b & c')).toMatchObject({ text: 'a < b & c', body: expect.stringContaining('a &lt; b &amp; c') })
  })
})
