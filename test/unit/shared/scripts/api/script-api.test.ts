import { describe, expect, it, vi } from 'vitest'
import { Invalid, NotFound } from '../../../../../shared/kernel/failures/faults.ts'
import { timeIds } from '../../../../../shared/kernel/time/time-ids.ts'
import { dispatchToChannels } from '../../../../../shared/messages/notifications/dispatch-to-channels.ts'
import type { BotStates } from '../../../../../shared/scripts/api/bot-states.ts'
import { readIntent } from '../../../../../shared/scripts/api/notification-intent.ts'
import { notificationPort } from '../../../../../shared/scripts/api/notification-port.ts'
import type { RecordAccess } from '../../../../../shared/scripts/api/record-access.ts'
import { scriptApi } from '../../../../../shared/scripts/api/script-api.ts'
import { scriptAllowance, stepInto } from '../../../../../shared/scripts/api/script-chain.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'

const clock = frozenClock()
const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const dispatch = dispatchToChannels({
  clock,
  config: { list: async () => [] },
  findTemplate: async () => undefined,
  channelOfChat: async () => undefined,
})
const source = { tenant, model: 'requests', recordId: 4, runId: 'r.1' }

function api(mayWrite = true, records: object = {}) {
  const botStates = {
    set: vi.fn<BotStates['set']>(),
    get: vi.fn<BotStates['get']>(),
    clear: vi.fn<BotStates['clear']>(),
  }
  const notifications = notificationPort(dispatch)
  return { botStates, api: scriptApi({ records: records as never, notifications, botStates, source, mayWrite }) }
}

describe('$api', () => {
  it('finds the first record by id, else the one that a record with the value was merged into, or false', async () => {
    const query = vi.fn<RecordAccess['query']>(async () => [])
    const partOf = vi.fn<RecordAccess['partOf']>(async () => false)
    const { api: host } = api(true, { query, partOf })
    expect(await host.call('find', ['clients', 'email', 'a@b.c'])).toBe(false)
    expect(partOf).toHaveBeenCalledWith('clients', 'email', 'a@b.c')
    partOf.mockResolvedValueOnce({ id: 9 })
    expect(await host.call('find', ['clients', 'email', 'a@b.c'])).toEqual({ id: 9 })
    expect(query).toHaveBeenCalledWith('clients', { filter: { email: { _eq: 'a@b.c' } }, sort: ['id'], limit: 1 })
    query.mockResolvedValue([{ id: 7 }])
    expect(await host.call('find', ['clients', 'email', 'a@b.c'])).toEqual({ id: 7 })
    expect(await host.call('find', ['clients', 'email', null])).toBe(false)
  })

  it.each([
    ['find', ['clients']],
    ['get', ['clients', 'seven']],
    ['query', ['clients', { where: 1 }]],
    ['query', ['clients', { limit: 1001 }]],
    ['create', ['clients', [1]]],
    ['update', ['clients', 1]],
    ['setBotState', [1]],
    ['nothing', []],
    ['constructor', []],
    ['__proto__', []],
  ])('refuses %s(%j)', async (method, args) => {
    const { api: host } = api(true, { query: async () => [] })
    await expect(host.call(method, args)).rejects.toThrow(/\$api/)
    expect(host.defect).toBeUndefined()
  })

  it.each(['create', 'update', 'remove'])('refuses %s in before hooks', async (method) => {
    await expect(api(false).api.call(method, ['clients', 1, {}])).rejects.toThrow('before hook')
  })

  it('names the table or record that does not exist, and passes other errors on', async () => {
    const fail = (error: Error) => api(true, { get: () => Promise.reject(error) }).api.call('get', ['clients', 5])
    await expect(
      fail(new NotFound('table', { model: 'clients' }, 'There is no table clients. Did you mean client?')),
    ).rejects.toThrow('Did you mean client?')
    await expect(fail(new NotFound('record', { model: 'clients', id: 5 }))).rejects.toThrow(
      'There is no record 5 in clients.',
    )
    await expect(fail(new Invalid({ a: ['b'] }))).rejects.toThrow(Invalid)
  })

  it('records an error of the service itself', async () => {
    const broken = new Error('throttled')
    const { api: host } = api(true, { get: () => Promise.reject(broken) })
    await expect(host.call('get', ['clients', 5])).rejects.toBe(broken)
    expect(host.defect).toBe(broken)
  })

  it.each([
    ['setBotState', [1], ': state is missing or of the wrong kind.'],
    ['setBotState', [1.5, 's'], ': chat id is missing or of the wrong kind.'],
    ['setBotState', ['', 's'], ': chat id is'],
    ['setBotState', [1, { a: 1 }], ': state is'],
    ['getBotState', [], ': chat id is'],
    ['getBotState', [null], ': chat id is'],
    ['clearBotState', [[1]], ': chat id is'],
    ['get', ['clients', 'seven'], ': id is'],
    ['query', ['clients', 'open'], ': {filter, sort, limit, search} is'],
    ['query', ['clients', { where: 1 }], ': there is no where.'],
    ['query', ['clients', { fliter: {} }], ': there is no fliter. Did you mean filter?'],
    ['query', ['clients', { limit: 0 }], ': limit is missing or of the wrong kind.'],
    ['users.find', [{ emial: 'a@example.com' }], ': there is no emial. Did you mean email?'],
  ])('names the wrong argument of %s(%j)', async (method, args, message) => {
    await expect(api().api.call(method, args)).rejects.toThrow(`$api.${method}(`)
    await expect(api().api.call(method, args)).rejects.toThrow(message)
  })

  it.each([
    ['finde', 'There is no $api.finde. Did you mean find?'],
    ['sendEmial', 'There is no $api.sendEmial. Did you mean sendEmail?'],
    ['uid', 'There is no $api.uid. Did you mean uuid?'],
    ['explode', 'There is no $api.explode.'],
  ])('names the method that is most like %s', (method, message) =>
    expect(api().api.call(method, [])).rejects.toThrow(message),
  )

  it('reads chat ids as text', async () => {
    const { api: host, botStates } = api()
    await host.call('setBotState', [42, 'asked'])
    expect(botStates.set).toHaveBeenCalledWith('42', 'asked')
  })
})

describe('the arguments of notifications', () => {
  it.each<[Parameters<typeof readIntent>[0], unknown[], object]>([
    [
      'sendPushNotification',
      ['t', 'x', '/u', [1, 2, 1], 'system'],
      { title: 't', text: 'x', url: '/u', user_ids: [1, 2], category: 'system' },
    ],
    ['sendPushNotification', ['t', 'x', [3]], { user_ids: [3] }],
    ['sendPushNotification', ['t', 'x', null, 3], { user_ids: [3] }],
    ['sendMessenger', ['x', [1]], { text: 'x', user_ids: [1], channel: null }],
    ['replyMessenger', [4711, 'x', 2], { chat_id: '4711', channel: 2 }],
    [
      'sendEmail',
      ['welcome', 'a@b.c', { name: 'Ada' }, 'support'],
      { template: 'welcome', to: 'a@b.c', params: { name: 'Ada' }, channel: 'support' },
    ],
    ['sendSms', ['+49', 'x'], { numbers: ['+49'] }],
    ['sendSms', [['+49', 4915], 'x'], { numbers: ['+49', '4915'] }],
    ['sendWebhook', [[1, { a: null }]], { payload: [1, { a: null }] }],
    ['publish', ['x', 'stream', 'k'], { channel: 'stream', key: 'k' }],
    ['publish', [{ a: 1 }, 7], { payload: { a: 1 }, channel: 7 }],
    ['publish', [null, 'bus', 'ö'.repeat(127)], { channel: 'bus', key: 'ö'.repeat(127) }],
    [
      'sendToChannel',
      [5, { recipients: [12, 'a'], body: 'b' }],
      { channel: 5, message: { recipients: ['12', 'a'], body: 'b' } },
    ],
  ])('are read: %s %j', (method, args, intent) => {
    expect(readIntent(method, args)).toMatchObject({ method, ...intent })
  })

  it.each<[Parameters<typeof readIntent>[0], unknown[], string]>([
    ['sendPushNotification', ['t'], 'text'],
    ['sendPushNotification', ['t', 'x', null, ['1']], 'user_ids'],
    ['sendMessenger', ['x', 'everybody'], 'user_ids'],
    ['sendEmail', ['welcome', ['a@b.c']], 'to'],
    ['publish', [{}], 'channel'],
    ['publish', [{}, null], 'channel'],
    ['publish', [undefined, 'stream'], 'payload'],
    ['publish', [{}, 'amqp', 7], 'key'],
    ['publish', [{}, 'amqp', 'ö'.repeat(128)], 'key'],
    ['sendToChannel', ['name', { recipients: [], body: 'x' }], 'channel'],
    ['sendToChannel', [1, { body: 'x' }], 'message.recipients'],
  ])('are refused by name: %s %j names %s', (method, args, name) => {
    expect(() => readIntent(method, args)).toThrow(new RegExp(`^\\$api\\.${method}\\(.*\\): ${name} `))
  })
})

describe('the notification port', () => {
  it('bounds what one transaction has to hold', async () => {
    const port = notificationPort(dispatch)
    const users = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)
    const push = (to: readonly number[]) => port.ask('sendPushNotification', ['t', 'x', to], source, () => {})
    await expect(push(users(1, 1001))).rejects.toThrow(
      '$api.sendPushNotification: one message may have 1000 recipients',
    )
    for (let sent = 0; sent < 70; sent += 1) await push(users(1, sent === 0 ? 1000 : 1))
    await expect(push([99])).rejects.toThrow('70 messages at most')
    expect(port.writes).toHaveLength(70)
    expect(
      new Set(port.writes.map((write) => JSON.stringify('put' in write && [write.put.pk, write.put.sk]))).size,
    ).toBe(70)
  })
})

describe('what one write sends', () => {
  const send = (port: ReturnType<typeof notificationPort>) =>
    port.ask('sendWebhook', ['x'.repeat(240_000)], source, () => {})

  it('takes 1.5 MB of rows at most', async () => {
    const port = notificationPort(async () => ({
      writes: [{ put: { pk: 'T#1#I', sk: 'i', recipients: 'x'.repeat(290_000) } }],
    }))
    for (let sent = 0; sent < 5; sent++) expect(await send(port)).toBe(true)
    await expect(send(port)).rejects.toThrow('1.5 MB at most')
  })

  it('may be long texts in objects', async () => {
    const port = notificationPort(async () => ({ writes: [{ put: { pk: 'T#1#I', sk: 'i' } }] }))
    for (let sent = 0; sent < 70; sent++) expect(await send(port)).toBe(true)
  })
})

describe('the time allowance of a request', () => {
  it('counts scripts inside scripts once', () => {
    const allowance = scriptAllowance(1000)
    allowance.enter(0)
    allowance.enter(100)
    expect(allowance.leftMs(300)).toBe(700)
    allowance.leave(400)
    allowance.leave(500)
    expect(allowance.leftMs(9000)).toBe(500)
    allowance.enter(9000)
    expect(allowance.leftMs(9600)).toBe(-100)
  })

  it('goes along the chain', () => {
    const first = stepInto(undefined, 'a.after_create')
    expect(stepInto(first, 'b.after_create')).toEqual({
      path: ['a.after_create', 'b.after_create'],
      allowance: first.allowance,
    })
  })
})

it('ids made of the time rise, also within one millisecond', () => {
  const next = timeIds({ now: () => 1_795_000_000_000, random: () => 0.999 })
  const ids = Array.from({ length: 5 }, next)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(new Set(ids).size).toBe(5)
  expect(String(ids[4])).toHaveLength(16)
})
