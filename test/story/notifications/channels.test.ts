import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant, userWith } from '../../make/builders/people.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const webhook = (name: string, more: object = {}, config: object = {}) => ({
  name,
  type: 'webhook',
  ...more,
  config: { url: 'https://crm.example.com/hooks', ...config },
})
const make = async (...given: Parameters<typeof webhook>) =>
  (await api('POST', '/api/sys/channels', webhook(...given))).body.data

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

describe('a channel', () => {
  it('is created, changed and deleted by an administrator', async () => {
    const made = await api('POST', '/api/sys/channels', webhook('crm'))
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'crm',
        direction: 'outgoing',
        type: 'webhook',
        is_default: false,
        is_enabled: true,
        config: { url: 'https://crm.example.com/hooks', auth: { type: 'none' } },
        created_at: expect.any(String),
        updated_at: expect.any(String),
        version: 1,
      },
    ])
    const path = `/api/sys/channels/${made.body.data.id}`
    const changed = await api('PUT', path, { ...made.body.data, name: 'customers', is_enabled: false })
    expect(changed.body.data).toMatchObject({ name: 'customers', is_enabled: false, version: 2 })
    expect((await api('GET', path)).body.data).toEqual(changed.body.data)
    expect((await api('PUT', path, { version: 1, name: 'late' })).body.code).toBe('version_mismatch')
    expect((await api('PUT', path, { type: 'email' })).body.errors).toHaveProperty('type')
    expect((await api('DELETE', path)).status).toBe(204)
    expect((await api('GET', path)).body.code).toBe('channel_not_found')
    expect((await api('POST', '/api/sys/channels', webhook('customers'))).status).toBe(201)
  })

  it('has a name of its own', async () => {
    await make('taken')
    expect((await api('POST', '/api/sys/channels', webhook('taken'))).body.code).toBe('name_taken')
    const { id } = await make('free')
    expect((await api('PUT', `/api/sys/channels/${id}`, { name: 'taken' })).body.code).toBe('name_taken')
    for (const name of ['42', 'stream'])
      expect((await api('POST', '/api/sys/channels', webhook(name))).body.errors).toHaveProperty('name')
  })

  it('is listed for every user with id, name and type only', async () => {
    const { id } = await make('listed', {}, { headers: { 'x-team': 'it' } })
    const { token } = await userWith(service, [])
    const { body } = await api('GET', '/api/sys/channels', undefined, token)
    expect(body.data.find((one: any) => one.id === id)).toEqual({ id, name: 'listed', type: 'webhook' })
    expect((await api('GET', `/api/sys/channels/${id}`, undefined, token)).status).toBe(403)
    expect((await api('POST', '/api/sys/channels', webhook('mine'), token)).status).toBe(403)
    const [first] = (await api('GET', '/api/sys/channels?per_page=1')).body.data
    expect(first).toMatchObject({ id, config: { headers: { 'x-team': 'it' } } })
  })

  it('names the member that is wrong', async () => {
    const { status, body } = await api('POST', '/api/sys/channels', webhook('typo', {}, { adress: 'x', auht: 1 }))
    expect([status, body.errors['config.auht'][0]]).toEqual([422, expect.stringContaining('Did you mean auth?')])
    expect((await api('POST', '/api/sys/channels', { ...webhook('odd'), isdefault: true })).body.errors).toHaveProperty(
      'isdefault',
    )
  })

  it('is in the trail without its secrets', async () => {
    const { id } = await make('traced', {}, { auth: { type: 'bearer', token: 'sk-hidden' } })
    await service.cloud.idle()
    const { body } = await api('GET', `/api/sys/audit?model=sys_channels&per_page=1`)
    expect(body.data[0]).toMatchObject({ action: 'create', record_id: id, name: 'traced' })
    expect(JSON.stringify(body)).not.toContain('sk-hidden')
  })
})

describe('the default of a type', () => {
  const defaults = async () =>
    (await api('GET', '/api/sys/channels')).body.data.filter((one: any) => one.is_default).map(({ name }: any) => name)

  it('is one channel: setting another one ends it', async () => {
    const first = await make('first', { is_default: true })
    expect(await defaults()).toEqual(['first'])
    await make('second', { is_default: true })
    expect(await defaults()).toEqual(['second'])
    await api('PUT', `/api/sys/channels/${first.id}`, { is_default: true })
    expect(await defaults()).toEqual(['first'])
    await api('PUT', `/api/sys/channels/${first.id}`, { is_default: false })
    expect(await defaults()).toEqual([])
    const third = await make('third', { is_default: true })
    await api('DELETE', `/api/sys/channels/${third.id}`)
    expect(await defaults()).toEqual([])
    await make('fourth', { is_default: true })
    expect(await defaults()).toEqual(['fourth'])
  })

  it('stays one when several are set at the same time', async () => {
    const ids = (await Promise.all(['a', 'b', 'c', 'd'].map((name) => make(`race ${name}`)))).map(({ id }) => id)
    const answers = await Promise.all(ids.map((id) => api('PUT', `/api/sys/channels/${id}`, { is_default: true })))
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(await defaults()).toHaveLength(1)
  })
})

describe('a secret', () => {
  it('is stored sealed, read as a mask, and kept by the mask', async () => {
    const auth = { type: 'basic', username: 'desk', password: 'open sesame' }
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const made = await make('sealed', {}, { auth, secret })
    expect(made.config).toMatchObject({ auth: { ...auth, password: '********' }, secret: '********' })
    expect(JSON.stringify(await itemsOf(service, `T#${service.tenant.id}#`))).not.toMatch(/open sesame|AQEBAQ/)
    const renamed = { ...made.config, auth: { ...made.config.auth, username: 'crm' } }
    const { body } = await api('PUT', `/api/sys/channels/${made.id}`, { config: renamed })
    expect(body.data.config).toEqual(renamed)
  })

  it('cannot be kept where there is none', async () => {
    const auth = { type: 'bearer', token: '********' }
    const { body } = await api('POST', '/api/sys/channels', webhook('masked', {}, { auth }))
    expect(body.errors['config.auth.token'][0]).toContain('send the secret itself')
  })
})

describe('an incoming channel', () => {
  const bot = (name: string, more: object = {}) => ({
    name,
    direction: 'incoming',
    type: 'messenger',
    config: { bot_token: '4711:AAE-incoming' },
    ...more,
  })

  it('is a bot, keeps its direction, and is listed by it', async () => {
    const made = await api('POST', '/api/sys/channels', bot('help desk'))
    expect([made.status, made.body.data]).toMatchObject([201, { direction: 'incoming', is_default: false }])
    const path = `/api/sys/channels/${made.body.data.id}`
    expect((await api('PUT', path, made.body.data)).body.data).toEqual(made.body.data)
    expect((await api('PUT', path, { direction: 'outgoing' })).body.errors).toHaveProperty('direction')
    const names = async (direction: string): Promise<string[]> =>
      (await api('GET', `/api/sys/channels?direction=${direction}`)).body.data.map(({ name }: any) => name)
    expect(await names('incoming')).toEqual(['help desk'])
    expect(await names('outgoing')).not.toContain('help desk')
    expect((await api('GET', '/api/sys/channels?direction=sideways')).body.errors).toHaveProperty('direction')
  })

  it('is of type messenger only, and no default', async () => {
    const other = await api('POST', '/api/sys/channels', webhook('listener', { direction: 'incoming' }))
    expect([other.status, other.body.errors]).toEqual([
      422,
      { direction: [expect.stringContaining('only messenger channels are incoming')] },
    ])
    const default_ = await api('POST', '/api/sys/channels', bot('default bot', { is_default: true }))
    expect([default_.status, default_.body.errors]).toEqual([422, { is_default: [expect.any(String)] }])
    const { id } = (await api('POST', '/api/sys/channels', bot('plain bot'))).body.data
    expect((await api('PUT', `/api/sys/channels/${id}`, { is_default: true })).body.errors).toHaveProperty('is_default')
  })

  it('is part of the configuration, which refuses another direction of the same channel', async () => {
    const { token } = await otherTenant(service)
    const document = { name: 'desk', type: 'messenger', direction: 'incoming', config: {} }
    const apply = (channel: object) => api('PUT', '/api/sys/config', { channels: [channel] }, token)
    expect((await apply(document)).status).toBe(200)
    const { channels } = (await api('GET', '/api/sys/config', undefined, token)).body.data
    expect(channels).toMatchObject([document])
    expect((await apply({ ...document, direction: undefined })).body.data).toMatchObject({ changed: [] })
    expect((await apply({ ...document, direction: 'outgoing' })).body.errors).toHaveProperty('channels.0.direction')
    expect((await apply({ ...document, is_default: true })).body.errors).toHaveProperty('channels.0.is_default')
  })
})

describe('channels as configuration', () => {
  const read = async (token: string) => (await api('GET', '/api/sys/config', undefined, token)).body.data.channels
  const apply = (channels: unknown, token: string) => api('PUT', '/api/sys/config', { channels }, token)

  it('are the same in another tenant, without their secrets, and change nothing the second time', async () => {
    const auth = { type: 'bearer', token: 'sk-secret' }
    await make('exported', { is_default: true }, { auth, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` })
    const document = await read(service.admin.token)
    expect(document.find(({ name }: any) => name === 'exported')).toEqual({
      name: 'exported',
      type: 'webhook',
      direction: 'outgoing',
      is_default: true,
      is_enabled: true,
      config: { url: 'https://crm.example.com/hooks', auth: { type: 'bearer' } },
    })
    const { token } = await otherTenant(service)
    const applied = await apply(document, token)
    expect([applied.status, applied.body.data.created.includes('channels.exported')]).toEqual([200, true])
    expect(await read(token)).toEqual(document)
    const again = await apply(document, token)
    expect(again.body.data).toMatchObject({ created: [], changed: [], unchanged: document.length })
  })

  it('keep the secrets that they have, and send nothing while they lack one', async () => {
    const { token } = await otherTenant(service)
    const lacking = {
      name: 'erp',
      type: 'webhook',
      is_default: true,
      config: { url: 'https://erp.example.com', auth: { type: 'bearer' } },
    }
    expect((await apply([lacking], token)).status).toBe(200)
    const [{ id }] = (await api('GET', '/api/sys/channels', undefined, token)).body.data
    const path = `/api/sys/channels/${id}`
    const set = { config: { ...lacking.config, auth: { type: 'bearer', token: 'sk-secret' } } }
    expect((await api('GET', path, undefined, token)).body.data.config.auth).toEqual({ type: 'bearer' })
    expect((await api('PUT', path, set, token)).body.data.config.auth).toEqual({ type: 'bearer', token: '********' })
    const moved = { ...lacking, config: { ...lacking.config, url: 'https://erp2.example.com' } }
    const changed = await apply([moved], token)
    expect(changed.body.data.differences).toEqual({ 'channels.erp': [expect.stringContaining('erp2')] })
    expect((await api('GET', path, undefined, token)).body.data.config).toEqual({
      url: 'https://erp2.example.com',
      auth: { type: 'bearer', token: '********' },
    })
  })

  it('are refused with a secret, a wrong member, or two defaults of a type', async () => {
    const { token } = await otherTenant(service)
    const config = { url: 'https://crm.example.com' }
    const { status, body } = await apply(
      [
        { name: 'a', type: 'webhook', is_default: true, config: { ...config, auth: { type: 'bearer', token: 'sk' } } },
        { name: 'b', type: 'webhook', is_default: true, config: { ...config, adress: 1 } },
      ],
      token,
    )
    expect(status).toBe(422)
    expect(Object.keys(body.errors).toSorted()).toEqual([
      'channels.0.config.auth.token',
      'channels.1.config.adress',
      'channels.1.is_default',
    ])
  })
})
