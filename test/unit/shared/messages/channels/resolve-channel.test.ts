import { expect, it } from 'vitest'
import { channelTypes, type ChannelType } from '../../../../../shared/messages/channels/channel-types.ts'
import type { Channel } from '../../../../../shared/messages/channels/channel.ts'
import { resolveChannel, resolveReplyChannel } from '../../../../../shared/messages/channels/resolve-channel.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const channel = (id: number, name: string, type: ChannelType, more: Partial<Channel> = {}): Channel => ({
  id,
  name,
  type,
  direction: 'outgoing',
  isDefault: false,
  isEnabled: true,
  config: {},
  sealed: {},
  version: 1,
  ...more,
})
const channels = [
  channel(1, 'crm', 'webhook', { isDefault: true }),
  channel(2, 'erp', 'webhook'),
  channel(3, 'old', 'webhook', { isEnabled: false }),
  channel(4, 'desk', 'email', { isDefault: true, isEnabled: false }),
  channel(5, 'bus', 'amqp', { isDefault: true, config: { exchange: 'orders' }, sealed: { url: 'sealed' } }),
  channel(6, 'sms', 'sms'),
  channel(7, 'new', 'webhook', { config: { auth: { type: 'bearer' } } }),
  channel(8, 'bot', 'messenger', { direction: 'incoming', sealed: { bot_token: 'sealed' } }),
  channel(9, 'idle bot', 'messenger', { direction: 'incoming', isEnabled: false, sealed: { bot_token: 'sealed' } }),
  channel(10, 'news', 'messenger', { sealed: { bot_token: 'sealed' } }),
]
const config = { list: async () => channels as never }
const resolve = (types: readonly ChannelType[], argument: number | string | null) =>
  resolveChannel({ config }, tenant, types, argument)
const published = ['stream', 'amqp', 'eventbridge'] as const

it.each<[string, readonly ChannelType[], number | string | null, number]>([
  ['the default of the type without an argument', ['webhook'], null, 1],
  ['the channel with an id', ['webhook'], 2, 2],
  ['the channel with a name', ['webhook'], 'erp', 2],
  ['the default of a type that publish names', published, 'amqp', 5],
  ['a channel named like its type, where no types are published', ['sms'], 'sms', 6],
  ['a channel of any type', channelTypes, 6, 6],
  ['the channel that publish names', published, 'bus', 5],
  ['the channel whose id publish names', published, 5, 5],
])('resolves to %s', async (_what, types, argument, id) => {
  expect(await resolve(types, argument)).toEqual({ channel: channels[id - 1] })
})

it.each<[string, readonly ChannelType[], number | string | null, RegExp]>([
  ['there is no default', ['sms'], null, /no default sms channel/],
  ['the default is disabled', ['email'], null, /default email channel "desk" is disabled/],
  ['no channel has the id', ['webhook'], 99, /no webhook channel 99/],
  ['no channel has the name', ['webhook'], 'CRM', /no webhook channel "CRM"/],
  ['the channel is disabled, although there is a default', ['webhook'], 'old', /channel "old" is disabled/],
  ['the channel is of another type', ['webhook'], 'bus', /type amqp, not webhook/],
  ['the channel lacks a secret', ['webhook'], 'new', /channel "new" lacks its config.auth.token/],
  ['a published type has no default', published, 'stream', /no default stream channel/],
  [
    'the channel that publish names is of another type',
    published,
    2,
    /type webhook, not stream or amqp or eventbridge/,
  ],
  ['the channel that publish names is missing', published, 'kafka', /no stream or amqp or eventbridge channel "kafka"/],
  ['the channel with the id is incoming', ['messenger'], 8, /channel 8 is incoming: only replyMessenger/],
  ['the channel with the name is incoming', channelTypes, 'bot', /channel "bot" is incoming/],
  ['another type is named, which is no channel', ['webhook'], 'amqp', /no webhook channel "amqp"/],
])('answers a problem when %s', async (_what, types, argument, problem) => {
  expect(await resolve(types, argument)).toEqual({ problem: expect.stringMatching(problem) })
})

it.each([
  ['an incoming channel by its id', 8, 8],
  ['an incoming channel by its name', 'bot', 8],
  ['an outgoing channel', 'news', 10],
])('a reply goes through %s', async (_what, argument, id) => {
  expect(await resolveReplyChannel({ config }, tenant, argument)).toEqual({ channel: channels[id - 1] })
})

it.each([
  ['a disabled channel', 9, /channel 9 is disabled/],
  ['a channel of another type', 'crm', /type webhook, not messenger/],
  ['a channel that does not exist', 99, /no messenger channel 99/],
])('a reply does not go through %s', async (_what, argument, problem) => {
  expect(await resolveReplyChannel({ config }, tenant, argument)).toEqual({ problem: expect.stringMatching(problem) })
})

const withSettings = (settings: readonly (readonly [string, unknown])[], type: ChannelType) => {
  const rows = settings.map(([name, doc]) => ({ name, version: 1, doc }))
  const list = async (_: object, kind: string, read: (row: never) => unknown) =>
    kind === 'SETTING' ? rows.map((row) => read(row as never)) : []
  return resolveChannel({ config: { list: list as never } }, tenant, [type], null)
}

it('takes the settings of a tenant where a type has no default channel', async () => {
  const mail = [
    ['MAIL_HOST', 'mail.example.com'],
    ['MAIL_FROM_ADDRESS', 'desk@example.com'],
    ['MAIL_PASSWORD', { sealed: 'x' }],
    ['MAIL_ENCRYPTION', 'tls'],
  ] as const
  expect(await withSettings(mail, 'email')).toMatchObject({
    channel: {
      id: 0,
      type: 'email',
      config: {
        transport: 'smtp',
        host: 'mail.example.com',
        from_address: 'desk@example.com',
        encryption: 'tls',
      },
      sealed: { password: 'x' },
    },
  })
  expect(await withSettings([['MESSENGER_BOT_TOKEN', { sealed: 'y' }]], 'messenger')).toMatchObject({
    channel: { id: 0, type: 'messenger', config: {}, sealed: { bot_token: 'y' } },
  })
})

it('gives the channel of settings another version with every change of them', async () => {
  const versionOf = async (...changes: readonly (readonly [string, unknown])[]) => {
    const address = ['MAIL_FROM_ADDRESS', 'desk@example.com'] as const
    const resolved = await withSettings([['MAIL_HOST', 'mail.example.com'], address, ...changes], 'email')
    return 'channel' in resolved ? resolved.channel.version : undefined
  }
  const versions = await Promise.all([
    versionOf(),
    versionOf(['MAIL_PORT', 25]),
    versionOf(['MAIL_PASSWORD', { sealed: 'x' }]),
    versionOf(['MAIL_PASSWORD', { sealed: 'y' }]),
  ])
  expect(new Set(versions).size).toBe(4)
  expect(await versionOf()).toBe(versions[0])
})

it.each<[ChannelType, readonly (readonly [string, unknown])[]]>([
  ['email', [['MAIL_HOST', 'mail.example.com']]],
  ['messenger', []],
  ['sms', [['MAIL_HOST', 'mail.example.com']]],
])('sends no %s with settings that are not enough', async (type, settings) => {
  expect(await withSettings(settings, type)).toEqual({
    problem: `there is no default ${type} channel; nothing was sent.`,
  })
})

it('never takes settings in place of a channel that is named, or of a default that is disabled', async () => {
  const rows = [{ name: 'MESSENGER_BOT_TOKEN', version: 1, doc: { sealed: 'y' } }]
  const off = channel(1, 'bot', 'messenger', { isDefault: true, isEnabled: false })
  const list = async (_: object, kind: string, read: (row: never) => unknown) =>
    kind === 'SETTING' ? rows.map((row) => read(row as never)) : [off]
  for (const argument of ['other', 7, null])
    expect(await resolveChannel({ config: { list: list as never } }, tenant, ['messenger'], argument)).toHaveProperty(
      'problem',
    )
})
it('answers a problem when the default lacks a secret', async () => {
  const incomplete = channels.find(({ name }) => name === 'new') as Channel
  const list = async () => [{ ...incomplete, isDefault: true }] as never
  expect(await resolveChannel({ config: { list } }, tenant, ['webhook'], null)).toEqual({
    problem: expect.stringMatching(/lacks its config\.auth\.token/),
  })
})
