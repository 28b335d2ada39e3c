import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptRuns, setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/* Which channel each method of scripts sends through (specification, Channel resolution rules). */

let service: TestService

/** A port of this machine where nothing answers: what becomes of a delivery is told elsewhere. */
const nowhere = '127.0.0.1:1'
const configs = {
  messenger: { bot_token: '1:a', api_base: `http://${nowhere}` },
  email: { transport: 'smtp', host: '127.0.0.1', port: 1, from_address: 'desk@acme.test' },
  sms: { provider: 'http', url: `http://${nowhere}` },
  webhook: { url: `http://${nowhere}` },
  stream: { provider: 'kinesis', stream_name: 'orders' },
  amqp: { url: `amqp://${nowhere}`, exchange: 'orders' },
  eventbridge: { bus_name: 'orders', detail_type: 'order' },
} as const
type Type = keyof typeof configs

const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const channel = async (type: Type, name: string, more: object = {}): Promise<number> => {
  const config = { ...configs[type], retry_schedule: [0] }
  const made = await api('POST', '/api/sys/channels', { name, type, config, ...more })
  expect(made.status).toBe(201)
  return made.body.data.id
}
/** What the calls of a hook answer; the request succeeds. */
async function answersOf(calls: readonly string[]): Promise<unknown[]> {
  await setHooks(service, 'posts', [['before_create', `$data.title = JSON.stringify([${calls.join()}])`]])
  const { status, body } = await api('POST', '/api/e/posts', {})
  expect(status).toBe(201)
  return JSON.parse(body.data.data.title)
}
const deliveriesOf = async (query: string): Promise<any[]> => {
  await service.cloud.idle()
  return (await api('GET', `/api/sys/deliveries?per_page=1000&${query}`)).body.data
}
const lastLog = async (): Promise<string[]> => {
  const [run] = await scriptRuns(service, '&model=posts')
  return run.log.map(({ level, message }: { level: string; message: string }) => `${level}: ${message}`)
}

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'posts', [{ name: 'title', type: 'text' }])
  const welcome = { name: 'Welcome', code: 'welcome', subject: 'Hello {{name}}', body: '<p>Hello {{name}}</p>' }
  await api('POST', '/api/sys/notification_templates', welcome)
})
afterAll(() => service?.stop())

/** A method, the type that it needs, what it answers when it sends, and a call of it; `named` is the channel. */
const methods: readonly [string, Type, true | null, (named?: string) => string][] = [
  ['sendMessenger', 'messenger', null, (named) => `$api.sendMessenger('hi', [1], ${named})`],
  ['replyMessenger', 'messenger', null, (named) => `$api.replyMessenger(4711, 'hi', ${named})`],
  ['sendEmail', 'email', null, (named) => `$api.sendEmail('welcome', 'ada@acme.test', { name: 'Ada' }, ${named})`],
  ['sendSms', 'sms', true, (named) => `$api.sendSms('+4915112345678', 'hi', ${named})`],
  ['sendWebhook', 'webhook', true, (named) => `$api.sendWebhook({ a: 1 }, ${named})`],
  ['publish', 'stream', true, (named = "'stream'") => `$api.publish({ a: 1 }, ${named})`],
  ['publish', 'amqp', true, (named = "'amqp'") => `$api.publish({ a: 1 }, ${named}, 'key')`],
  ['publish', 'eventbridge', true, (named = "'eventbridge'") => `$api.publish({ a: 1 }, ${named})`],
]

describe.each(methods)('%s through %s', (method, type, sent, call) => {
  const failed = sent === null ? null : false
  const name = (role: string): string => `${method} ${type} ${role}`
  const ids = { standard: 0, other: 0, off: 0, foreign: 0 }

  beforeAll(async () => {
    ids.standard = await channel(type, name('standard'), { is_default: true })
    ids.other = await channel(type, name('other'))
    ids.off = await channel(type, name('off'), { is_enabled: false })
    ids.foreign = await channel(type === 'webhook' ? 'sms' : 'webhook', name('foreign'))
  })

  it('takes the default without a channel, and the channel of a name or an id', async () => {
    const calls = [call(), call(`'${name('other')}'`), call(String(ids.other))]
    expect(await answersOf(calls)).toEqual([sent, sent, sent])
    expect(await lastLog()).toEqual([])
    expect(await deliveriesOf(`channel_id=${ids.standard}`)).toMatchObject([{ channel_type: type }])
    expect(await deliveriesOf(`channel_id=${ids.other}`)).toHaveLength(2)
  })

  it('sends nothing, not even through the default, when the channel is missing, disabled or of another type', async () => {
    const before = (await deliveriesOf('')).length
    const calls = [
      call("'nobody'"),
      call('999'),
      call(`'${name('off')}'`),
      call(String(ids.off)),
      call(String(ids.foreign)),
    ]
    expect(await answersOf(calls)).toEqual(calls.map(() => failed))
    const wanted = method === 'publish' ? 'stream or amqp or eventbridge' : type
    const foreign = type === 'webhook' ? 'sms' : 'webhook'
    expect(await lastLog()).toEqual(
      [
        `there is no ${wanted} channel "nobody"`,
        `there is no ${wanted} channel 999`,
        `the channel "${name('off')}" is disabled`,
        `the channel ${ids.off} is disabled`,
        `the channel ${ids.foreign} is of type ${foreign}, not ${wanted}`,
      ].map((problem) => `error: ${method}: ${problem}; nothing was sent.`),
    )
    expect(await deliveriesOf('')).toHaveLength(before)
  })

  it('sends nothing when the default is disabled or there is none', async () => {
    await api('PUT', `/api/sys/channels/${ids.standard}`, { is_enabled: false })
    expect(await answersOf([call()])).toEqual([failed])
    expect(await lastLog()).toEqual([
      `error: ${method}: the default ${type} channel "${name('standard')}" is disabled; nothing was sent.`,
    ])
    await api('PUT', `/api/sys/channels/${ids.standard}`, { is_default: false })
    expect(await answersOf([call()])).toEqual([failed])
    expect(await lastLog()).toEqual([`error: ${method}: there is no default ${type} channel; nothing was sent.`])
  })
})

describe('sendToChannel', () => {
  const send = (id: number) => `$api.sendToChannel(${id}, { recipients: ['4711'], body: 'hi' })`

  it.each(Object.keys(configs) as Type[])('sends through a channel of type %s', async (type) => {
    const id = await channel(type, `direct ${type}`)
    expect(await answersOf([send(id)])).toEqual([null])
    expect(await deliveriesOf(`channel_id=${id}`)).toMatchObject([{ channel_type: type }])
  })

  it('sends nothing through a channel that is missing or disabled', async () => {
    const off = await channel('webhook', 'direct off', { is_enabled: false })
    const before = (await deliveriesOf('')).length
    expect(await answersOf([send(999), send(off)])).toEqual([null, null])
    expect(await lastLog()).toEqual([
      'error: sendToChannel: there is no outgoing channel 999; nothing was sent.',
      `error: sendToChannel: the channel ${off} is disabled; nothing was sent.`,
    ])
    expect(await deliveriesOf('')).toHaveLength(before)
  })
})

describe('the settings of a tenant', () => {
  const settings = {
    MAIL_HOST: '127.0.0.1',
    MAIL_PORT: '1',
    MAIL_FROM_ADDRESS: 'desk@acme.test',
    MESSENGER_BOT_TOKEN: '4711:secret',
  }
  // The person has no chat, so no bot is called.
  const calls = [
    "$api.sendEmail('welcome', 'grace@acme.test', { name: 'Grace' })",
    "$api.sendMessenger('hi', [1])",
    "$api.sendEmail('welcome', 'grace@acme.test', {}, 'nobody')",
    "$api.sendMessenger('hi', [1], 'nobody')",
  ]
  const bySettings = async () =>
    (await deliveriesOf('')).filter(({ channel_id: id }) => id === null || id === 0).map((one) => one.channel_type)

  it('send mails and messages where there is no default channel, and never in place of a named one', async () => {
    expect((await api('PUT', '/api/sys/settings', settings)).status).toBe(200)
    await answersOf(calls)
    expect(await lastLog()).toEqual([
      'error: sendEmail: there is no email channel "nobody"; nothing was sent.',
      'error: sendMessenger: there is no messenger channel "nobody"; nothing was sent.',
    ])
    expect((await bySettings()).toSorted()).toEqual(['email', 'messenger'])
  })

  it('send nothing where the default channel is disabled', async () => {
    await channel('email', 'paused mail', { is_default: true, is_enabled: false })
    await channel('messenger', 'paused bot', { is_default: true, is_enabled: false })
    await answersOf(calls.slice(0, 2))
    expect(await lastLog()).toEqual([
      'error: sendEmail: the default email channel "paused mail" is disabled; nothing was sent.',
      'error: sendMessenger: the default messenger channel "paused bot" is disabled; nothing was sent.',
    ])
    expect(await bySettings()).toHaveLength(2)
  })
})
