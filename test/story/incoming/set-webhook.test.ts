import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { type BotCall, type BotScript, scriptedBotApi } from '../../make/services/servers/scripted-bot-api.ts'
import { startService, type TestService } from '../../make/services/service.ts'
import { everyItem } from '../../make/services/stores/whole-store.ts'

let service: TestService
let server: Awaited<ReturnType<typeof scriptedBotApi>>
let script: ((call: BotCall) => BotScript) | undefined
const logged: string[] = []
let bots = 100

const api = (method: string, path: string, body?: unknown, as = service.admin.token) =>
  service.api(method, path, { token: as, body })
const register = (body?: object, as?: string) => api('POST', '/api/settings/messenger/set-webhook', body, as)
const address = () => `${service.url}/api/messenger/webhook`

/** A new incoming channel with a bot of its own. */
async function incoming(as = service.admin.token, token = `${++bots}:AAE-secret_of_the_bot`) {
  const config = { bot_token: token, api_base: server.url }
  const body = { name: `bot ${token.slice(0, 5)}${bots}`, direction: 'incoming', type: 'messenger', config }
  const { data } = (await api('POST', '/api/sys/channels', body, as)).body
  return { id: data.id as number, name: data.name as string, token }
}
/** The status that a call with the secret of the bot gets. */
const call = async (secret: string | undefined): Promise<number> =>
  (
    await fetch(address(), {
      method: 'POST',
      headers: { ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }) },
      body: '{"update_id":1}',
    })
  ).status
const secretOf = (token: string): string => server.webhooks.webhookOf(token)?.secret as string

beforeAll(async () => {
  server = await scriptedBotApi({ script: (_, one) => script?.(one) })
  service = await startService({ log: (line) => logged.push(JSON.stringify(line)) })
})
afterEach(() => {
  script = undefined
})
afterAll(async () => {
  await service?.stop()
  await server?.close()
})

describe('set-webhook', () => {
  it('without a bot says what to do', async () => {
    const { status, body } = await register()
    expect([status, body.errors.channel_id[0]]).toEqual([422, expect.stringContaining('POST /api/sys/channels')])
  })

  it('registers the bot of the settings where there is no incoming channel', async () => {
    const token = '90:AAE-secret_of_the_bot'
    const { token: as } = await otherTenant(service)
    expect((await api('PUT', '/api/sys/settings', { MESSENGER_BOT_TOKEN: token }, as)).status).toBe(200)
    // The server of this cloud is the one of bots that name none.
    expect((await register(undefined, as)).body.data).toEqual({ url: address(), channel_id: 0 })
    expect((await register({ channel_id: 0 }, as)).status).toBe(200)
  })

  it('registers the only incoming channel, with a secret and the kinds of updates', async () => {
    const { id, token } = await incoming()
    const { status, body } = await register()
    expect([status, body.data]).toEqual([200, { url: address(), channel_id: id }])
    const { parameters } = server.calls.findLast(({ method }) => method === 'setWebhook') as BotCall
    expect(parameters).toMatchObject({ url: address(), secret_token: expect.stringMatching(`^c${id}_[\\w-]{43}$`) })
    expect(parameters.allowed_updates).toEqual(expect.arrayContaining(['message', 'callback_query', 'my_chat_member']))
    expect(await call(secretOf(token))).toBe(200)
    const [event] = (await api('GET', '/api/sys/audit?model=sys_channels&per_page=1')).body.data
    expect(event).toMatchObject({
      action: 'update',
      record_id: id,
      user: { id: service.admin.userId },
      changes: { webhook: { old: null, new: address() } },
    })
  })

  it('names the channels when there are several, or the named one receives nothing', async () => {
    const second = await incoming()
    const several = await register()
    expect([several.status, several.body.errors.channel_id[0]]).toEqual([422, expect.stringContaining(second.name)])
    const out = { name: 'out', type: 'messenger', config: { bot_token: '91:AAE-secret_of_the_bot' } }
    const { id } = (await api('POST', '/api/sys/channels', out)).body.data
    for (const [channel_id, problem] of [
      [id, 'is outgoing'],
      [999, 'no channel 999'],
    ])
      expect((await register({ channel_id })).body.errors.channel_id[0]).toContain(problem)
    await api('PUT', `/api/sys/channels/${second.id}`, { is_enabled: false })
    expect((await register({ channel_id: second.id })).body.errors.channel_id[0]).toContain('Enable it first')
  })

  it('is for administrators', async () => {
    const { token } = await userWith(service, [])
    expect((await register(undefined, token)).status).toBe(403)
  })

  it('replaces the secret, which ends the former one', async () => {
    const { id, token } = await incoming()
    await register({ channel_id: id })
    const former = secretOf(token)
    await register({ channel_id: id })
    expect([await call(former), await call(secretOf(token))]).toEqual([401, 200])
  })

  it('says what the Bot API refuses, and keeps the former secret', async () => {
    const { id, token } = await incoming()
    await register({ channel_id: id })
    const description = `Bad Request: bad webhook: HTTPS url must be provided for bot${token}`
    script = () => ({ status: 400, description })
    const { status, body } = await register({ channel_id: id })
    expect([status, body.code]).toEqual([422, 'bot_api_failed'])
    expect(body.message).toContain('HTTPS url must be provided')
    expect(body.message).not.toContain('secret_of_the_bot')
    expect(await call(secretOf(token))).toBe(200)
  })

  it('that nobody answers keeps both secrets, so that no update is refused, until it is answered', async () => {
    const { id, token } = await incoming()
    await register({ channel_id: id })
    const former = secretOf(token)
    script = () => ({ status: 502, description: 'Bad Gateway' })
    expect((await register({ channel_id: id })).status).toBe(422)
    const given = server.calls.findLast(({ method }) => method === 'setWebhook')?.parameters.secret_token as string
    expect([await call(former), await call(given)]).toEqual([200, 200])
    script = undefined
    await register({ channel_id: id })
    expect([await call(former), await call(given), await call(secretOf(token))]).toEqual([401, 401, 200])
  })

  it('at the same time as another one is refused', async () => {
    const { id, token } = await incoming()
    script = ({ method }) => (method === 'setWebhook' ? { delayMs: 300 } : undefined)
    const statuses = (await Promise.all([register({ channel_id: id }), register({ channel_id: id })])).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted()).toEqual([200, 409])
    expect(await call(secretOf(token))).toBe(200)
  })
})

describe('the secret', () => {
  it.each([undefined, '', 'c1_', `c1_${'a'.repeat(43)}`, 'x'.repeat(5000)])('%s is refused', async (secret) => {
    expect(await call(secret)).toBe(401)
  })

  it('is stored as a hash only, and the token of the bot is in no log, answer or row', async () => {
    const { id, token } = await incoming()
    const answer = await register({ channel_id: id })
    const everywhere = [...logged, JSON.stringify([answer.body, await everyItem(service)])]
    expect(everywhere.filter((text) => text.includes('secret_of_the_bot') || text.includes(secretOf(token)))).toEqual(
      [],
    )
  })

  it('ends with its channel, whose webhook is deleted', async () => {
    const { id, token } = await incoming()
    await register({ channel_id: id })
    const secret = secretOf(token)
    expect((await api('DELETE', `/api/sys/channels/${id}`)).status).toBe(204)
    expect([await call(secret), server.webhooks.webhookOf(token)]).toEqual([401, undefined])
  })

  it('ends when the channel gets another bot, and stays when the bot gets another token', async () => {
    const { id, token } = await incoming()
    await register({ channel_id: id })
    const secret = secretOf(token)
    const change = (bot_token: string) =>
      api('PUT', `/api/sys/channels/${id}`, { config: { bot_token, api_base: server.url } })
    expect((await change(`${token}_rotated`)).status).toBe(200)
    expect(await call(secret)).toBe(200)
    expect((await change(`${++bots}:AAE-secret_of_the_bot`)).status).toBe(200)
    expect(await call(secret)).toBe(401)
  })
})

describe('a test of an incoming channel', () => {
  it('asks the bot who it is, and needs no recipient', async () => {
    const { id } = await incoming()
    const test = async () => (await api('POST', `/api/sys/channels/${id}/test`)).body.data
    expect(await test()).toEqual({ ok: true, code: '200' })
    script = () => ({ status: 401, description: 'Unauthorized' })
    expect(await test()).toMatchObject({ ok: false, code: '401', error: expect.stringContaining('BotFather') })
  })
})
