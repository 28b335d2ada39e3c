import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { otherTenant } from '../../make/builders/people.ts'
import { type TestService, sharedService } from '../../make/services/service.ts'
import { itemsOf } from '../../make/services/stores/items-of.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service.stop())

const put = (body: object, token = service.admin.token) => service.api('PUT', '/api/sys/settings', { token, body })
const read = async (token = service.admin.token) => (await service.api('GET', '/api/sys/settings', { token })).body.data

const secretText = 'hush-hush 0451'

describe('settings', () => {
  it('are a flat map of every name, null until they have a value', async () => {
    const { token } = await otherTenant(service)
    const settings = await read(token)
    expect(Object.keys(settings)).toEqual(
      expect.arrayContaining([
        'MAIL_MAILER',
        'IMAP_HOST',
        'MESSENGER_BOT_TOKEN',
        'SSO_ISSUER',
        'OAUTH_GOOGLE_CLIENT_ID',
      ]),
    )
    expect(new Set(Object.values(settings))).toEqual(new Set([null]))
  })

  it('keep what a change leaves out, and lose what it sets to null', async () => {
    const first = await put({ MAIL_HOST: 'smtp.acme.test', MAIL_PORT: '587', MAIL_ENCRYPTION: 'tls' })
    expect([first.status, first.body.data.MAIL_PORT]).toEqual([200, 587])
    await put({ MAIL_HOST: null, MAIL_FROM_NAME: 'Acme' })
    expect(await read()).toMatchObject({ MAIL_HOST: null, MAIL_PORT: 587, MAIL_FROM_NAME: 'Acme' })
  })

  it('take back whole what was read, which changes nothing', async () => {
    await put({ MAIL_PASSWORD: secretText, TIMEZONE: 'Europe/Vienna' })
    const before = await read()
    const again = await put(before)
    expect([again.status, again.body.data]).toEqual([200, before])
  })

  it('decide the time zone and the role of new users from the next request', async () => {
    const { token } = service.admin
    await service.api('POST', '/api/sys/roles', { token, body: { name: 'clerk' } })
    expect((await put({ DEFAULT_ROLE: 'clerk' })).status).toBe(200)
    const made = await service.api('POST', '/api/sys/users', {
      token,
      body: { name: 'New', email: 'new@settings.test', password: 'brass gears 1843' },
    })
    expect(made.body.data.roles).toEqual(['clerk'])
    await put({ DEFAULT_ROLE: null })
  })

  it('give the company its color in the web app', async () => {
    const { token } = await otherTenant(service)
    const own = async () => (await service.api('GET', '/api/user', { token })).body.data
    expect(await own()).not.toHaveProperty('accent_color')
    for (const wrong of ['blue', '#12345', '2f5fd0', '#2f5fd0; color: red']) {
      const refused = await put({ ACCENT_COLOR: wrong }, token)
      expect([refused.status, refused.body.errors.ACCENT_COLOR]).toEqual([
        422,
        ['Use a color as six hexadecimal digits after a #, such as #2f5fd0.'],
      ])
    }
    expect((await put({ ACCENT_COLOR: '#0B7A75' }, token)).body.data.ACCENT_COLOR).toBe('#0b7a75')
    expect(await own()).toMatchObject({ accent_color: '#0b7a75' })
    const other = (await service.api('GET', '/api/user', { token: service.admin.token })).body.data
    expect(other).not.toHaveProperty('accent_color')
    await put({ ACCENT_COLOR: null }, token)
    expect(await own()).not.toHaveProperty('accent_color')
  })

  it.each([
    [{ TIMEZONE: 'Mars/Olympus' }, 'TIMEZONE', 'time zone'],
    [{ MAIL_PORT: 'many' }, 'MAIL_PORT', 'number'],
    [{ MAIL_PORT: 70_000 }, 'MAIL_PORT', '65535'],
    [{ MAIL_PORT: '70000' }, 'MAIL_PORT', '65535'],
    [{ MAIL_PORT: true }, 'MAIL_PORT', '65535'],
    [{ MAIL_ENCRYPTION: 'starttls' }, 'MAIL_ENCRYPTION', 'ssl, tls'],
    [{ MAIL_HOST: 'smtp://acme.test' }, 'MAIL_HOST', 'without scheme'],
    [{ MAIL_FROM_ADDRESS: 'nobody' }, 'MAIL_FROM_ADDRESS', 'email address'],
    [{ MAIL_FROM_NAME: 'Acme\r\nBcc: x@y.test' }, 'MAIL_FROM_NAME', 'one line'],
    [{ SSO_ISSUER: 'http://login.acme.test' }, 'SSO_ISSUER', 'https'],
    [{ SSO_ISSUER: 'https://login.acme.test?x=1' }, 'SSO_ISSUER', 'https'],
    [{ SSO_JWKS_URL: 'file:///etc/passwd' }, 'SSO_JWKS_URL', 'https'],
    [
      { OAUTH_MICROSOFT_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
      'OAUTH_MICROSOFT_ISSUER',
      'directory',
    ],
    [{ DEFAULT_ROLE: 'nobody' }, 'DEFAULT_ROLE', 'no such role. There are: admin'],
    [{ MAIL_PASWORD: 'x' }, 'MAIL_PASWORD', 'Did you mean MAIL_PASSWORD?'],
    [{ OAUTH_GOOGLE_CLIENT_SECRET: '********' }, 'OAUTH_GOOGLE_CLIENT_SECRET', 'no value yet'],
  ])('refuse %j, naming it', async (body, name, word) => {
    const { status, body: answer } = await put(body)
    expect([status, Object.keys(answer.errors)]).toEqual([422, [name]])
    expect(answer.errors[name][0]).toContain(word)
  })

  it('are for administrators, of their own tenant', async () => {
    const { token } = await otherTenant(service)
    await put({ MAIL_USERNAME: 'postmaster' })
    expect((await read(token)).MAIL_USERNAME).toBeNull()
  })
})

describe('a secret', () => {
  it('is answered masked, stays when the mask is sent, and is stored sealed', async () => {
    const { body } = await put({ MAIL_PASSWORD: secretText })
    expect(body.data.MAIL_PASSWORD).toBe('********')
    await put({ MAIL_PASSWORD: '********', MAIL_USERNAME: 'ada' })
    expect(await read()).toMatchObject({ MAIL_PASSWORD: '********', MAIL_USERNAME: 'ada' })
    expect(JSON.stringify(await itemsOf(service, `T#${service.tenant.id}#`))).not.toContain('hush')
  })

  it('is in neither the trail nor the exported configuration', async () => {
    const { token } = service.admin
    await put({ IMAP_PASSWORD: secretText })
    await put({ IMAP_PASSWORD: null, IMAP_HOST: 'imap.acme.test' })
    const trail = (await service.api('GET', '/api/sys/audit?model=sys_settings', { token })).body.data
    expect(trail[0].changes).toEqual({
      IMAP_PASSWORD: { old: '********', new: null },
      IMAP_HOST: { old: null, new: 'imap.acme.test' },
    })
    expect(trail[1].changes).toEqual({ IMAP_PASSWORD: { old: null, new: '********' } })
    const exported = JSON.stringify((await service.api('GET', '/api/sys/config', { token })).body)
    for (const word of ['hush', 'sealed', 'imap.acme.test']) expect(exported).not.toContain(word)
  })
})

describe('issuer and audience of a provider', () => {
  const provider = { SSO_ISSUER: 'https://login.acme.test', SSO_AUDIENCE: 'workflow' }

  it('belong to one tenant, until it gives them up', async () => {
    const { token } = await otherTenant(service)
    expect((await put(provider)).status).toBe(200)
    const taken = await put(provider, token)
    expect([taken.status, Object.keys(taken.body.errors)]).toEqual([422, ['SSO_AUDIENCE']])
    expect((await put({ ...provider, SSO_AUDIENCE: 'other' }, token)).status).toBe(200)
    await put({ SSO_ISSUER: null })
    expect((await put(provider, token)).status).toBe(200)
    expect((await put({ SSO_ISSUER: provider.SSO_ISSUER })).status).toBe(422)
  })
})
