import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptRuns, setHooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const hook = (kind: string, script: string) => setHooks(service, 'posts', [[kind, script]])
const post = (body: object = {}) => api('POST', '/api/e/posts', body)
const notificationsOf = async (user: number) => {
  await service.cloud.idle()
  return (await service.store.query(service.tenant, { pk: `T#${service.tenant.id}#BELL#${user}` })).items
}
const answersOf = async (calls: string) => {
  await hook('before_create', `$data.note = JSON.stringify([${calls}])`)
  const { status, body } = await post()
  return status === 201 ? JSON.parse(body.data.data.note) : body.message
}

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'posts', [
    { name: 'title', type: 'text' },
    { name: 'note', type: 'textarea' },
    { name: 'n', type: 'integer', max: 5 },
  ])
})
afterAll(() => service?.stop())

describe('sendPushNotification', () => {
  it('stores one notification per user with the record, from a before hook', async () => {
    await hook(
      'before_create',
      "$api->sendPushNotification('New', 'Look at ' + $data->title, '/posts', [101, 102, 101], 'message')",
    )
    expect((await post({ title: 'Lamp' })).status).toBe(201)
    expect(await notificationsOf(101)).toMatchObject([
      {
        title: 'New',
        text: 'Look at Lamp',
        url: '/posts',
        category: 'message',
        is_read: false,
        user_id: 101,
        model: 'posts',
      },
    ])
    expect(await notificationsOf(102)).toHaveLength(1)
  })

  it('stores nothing when the operation does not commit', async () => {
    await hook(
      'before_create',
      "$api.sendPushNotification('New', 'text', null, [103]); if ($data.n === 1) throw new Error('no'); if ($data.n === 2) $data.n = 9",
    )
    for (const n of [1, 2]) expect((await post({ n })).status).toBe(422)
    expect(await notificationsOf(103)).toEqual([])
    expect((await post({ n: 3 })).status).toBe(201)
    expect(await notificationsOf(103)).toHaveLength(1)
  })

  it('stores a notification once when a before hook runs twice because of a conflict', async () => {
    await hook('before_update', "$api.sendPushNotification('Changed', 'n is ' + $data.n, [104], 'system')")
    const { id } = (await post()).body.data
    await Promise.all([1, 2, 3].map((n) => api('PATCH', `/api/e/posts/${id}`, { n, title: `t${n}` })))
    expect((await notificationsOf(104)).map(({ text }) => text).toSorted()).toEqual(['n is 1', 'n is 2', 'n is 3'])
  })

  it('stores a notification of an after hook that fails later', async () => {
    await hook('after_create', "$api.sendPushNotification('After', 'x', [105]); throw new Error('late')")
    expect((await post()).status).toBe(201)
    expect(await notificationsOf(105)).toMatchObject([{ title: 'After', category: 'system', url: null }])
  })

  it('names the wrong argument', async () => {
    expect(await answersOf("$api.sendPushNotification('t', 'x', null, ['one'])")).toContain('user_ids')
    expect(await answersOf("$api.sendPushNotification('t', 'x', null, [1], 'spam')")).toContain('category')
  })
})

describe('channels that do not exist', () => {
  it('send nothing, answer false where a bool is promised, and leave an error in the run log', async () => {
    const calls = [
      "$api.sendMessenger('hi', [1], 'support')",
      "$api.replyMessenger(4711, 'hi')",
      "$api.sendEmail('welcome', 'ada@example.com', {name: 'Ada'}, 3)",
      "$api.sendSms(['+4915112345678'], 'hi')",
      "$api.sendSms('+4915112345678', 'hi', 'sms')",
      '$api.sendWebhook({a: 1})',
      "$api.publish({a: 1}, 'stream', 'key')",
      "$api.sendToChannel(5, {recipients: ['123'], body: 'hi'})",
    ]
    expect(await answersOf(calls.join())).toEqual([null, null, null, false, false, false, false, null])
    const [run] = await scriptRuns(service, '&model=posts')
    expect(run.log.map(({ level }: any) => level)).toEqual(calls.map(() => 'error'))
    expect(run.log[0].message).toContain('sendMessenger')
    expect(run.log[0].message).toContain('"support"')
    expect(run).toMatchObject({ status: 'ok', calls: calls.length })
  })

  it('require the channel argument of publish', async () => {
    expect(await answersOf('$api.publish({a: 1})')).toContain('channel')
  })
})

describe('bot state', () => {
  it('is stored at once, even when the operation fails, and can be cleared', async () => {
    await hook('before_create', "$api.setBotState(42, 'asked'); throw new Error('refused')")
    expect((await post()).status).toBe(422)
    expect(
      await answersOf("$api->getBotState('42'), $api.getBotState('43'), $api.clearBotState(42), $api.getBotState(42)"),
    ).toEqual(['asked', null, null, null])
  })

  it('expires after one hour, even while its row exists', async () => {
    expect(await answersOf("$api.setBotState('7', 's'), $api.getBotState(7)")).toEqual([null, 's'])
    expect((await itemsOf(service, `T#${service.tenant.id}#RUNS#`)).length).toBeGreaterThan(0)
    const { botStateKey } = await import('../../../shared/platform/store/keys/scripts.ts')
    const row = await service.store.get(service.tenant, botStateKey(service.tenant, '7'))
    expect(Number(row?.until) - Date.now()).toBeGreaterThan(3_590_000)
    expect(Number(row?.until) - Date.now()).toBeLessThanOrEqual(3_600_000)
    await service.store.write(service.tenant, {
      update: botStateKey(service.tenant, '7'),
      change: { expression: 'SET #until = :past', names: { '#until': 'until' }, values: { ':past': Date.now() - 1 } },
    })
    expect(await answersOf('$api.getBotState(7)')).toEqual([null])
  })
})
