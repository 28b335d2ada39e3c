import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ForbiddenHost } from '../../../../../shared/kernel/addresses/public-address.ts'
import { MailboxFailure } from '../../../../../shared/messages/mailbox/imap/mailbox-failure.ts'
import type { OpenMailbox } from '../../../../../shared/messages/mailbox/imap/open-mailbox.ts'
import { createAccessTokens, type FindAccessToken } from '../../../../../shared/messages/mailbox/oauth/access-token.ts'
import { signIn } from '../../../../../shared/messages/mailbox/sign-in.ts'
import type { MailboxSettings, OauthSettings } from '../../../../../shared/messages/mailboxes/mailbox-settings.ts'
import { mailboxTokenKey } from '../../../../../shared/platform/store/keys/messages/mailbox.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let table: SingleTable
let tenant = { id: 0 }
let now: number
/** The forms that the token endpoint received, and what it answers next. */
let asked: Record<string, string>[]
let answers: (Response | Error)[]
let accessToken: FindAccessToken

beforeAll(async () => (table = await openSingleTable()))
afterAll(() => table.close())
beforeEach(() => {
  tenant = { id: tenant.id + 1 }
  ;[now, asked, answers] = [1_000_000, [], []]
  accessToken = restart()
})

const restart = (): FindAccessToken =>
  createAccessTokens({
    store: table.store,
    clock: { now: () => now },
    secrets: async () => ({
      seal: async ({ id }, name, text) => `${id} ${name} ${text}`,
      open: async ({ id }, name, sealed) => {
        expect(sealed.startsWith(`${id} ${name} `)).toBe(true)
        return sealed.slice(`${id} ${name} `.length)
      },
    }),
    async fetchPublic(_address, { body } = {}) {
      asked.push(Object.fromEntries(new URLSearchParams(String(body))))
      const next = answers.shift()
      if (next === undefined || next instanceof Error) throw next ?? new Error('no answer')
      return next
    },
  })
const token = (value: string, more: object = {}): Response =>
  Response.json({ access_token: value, expires_in: 3600, ...more })

const microsoft: OauthSettings = {
  grant: 'client_credentials',
  tokenUrl: 'https://login.microsoftonline.com/acme/oauth2/v2.0/token',
  clientId: 'app',
  clientSecret: 'secret of the app',
  refreshToken: undefined,
  scope: 'https://outlook.office365.com/.default',
}
const google: OauthSettings = { ...microsoft, grant: 'refresh_token', refreshToken: 'first refresh token' }
const ask = (settings = microsoft, fresh = false) => accessToken(tenant, settings, { fresh })

describe('an access token', () => {
  it('is asked for with client credentials, and kept until shortly before its end', async () => {
    answers.push(token('one'), token('two'))
    expect([await ask(), await ask()]).toEqual(['one', 'one'])
    now += 54 * 60_000
    expect(await ask()).toBe('one')
    now += 2 * 60_000
    expect(await ask()).toBe('two')
    expect(asked[0]).toEqual({
      grant_type: 'client_credentials',
      client_id: 'app',
      client_secret: 'secret of the app',
      scope: 'https://outlook.office365.com/.default',
    })
  })

  it('belongs to one tenant and to the settings that it was asked with', async () => {
    answers.push(token('one'), token('two'), token('three'))
    expect(await ask()).toBe('one')
    expect(await ask({ ...microsoft, clientSecret: 'a new secret' })).toBe('two')
    tenant = { id: tenant.id + 1 }
    expect(await ask()).toBe('three')
  })

  it('keeps the refresh token that the provider answers, sealed, until another one is saved', async () => {
    answers.push(token('one', { refresh_token: 'second refresh token' }), token('two'), token('three'))
    await ask(google)
    const row = await table.store.get(tenant, mailboxTokenKey(tenant))
    expect(row?.sealed).toBe(`${tenant.id} mailbox.refresh_token second refresh token`)
    accessToken = restart()
    await ask(google)
    await ask({ ...google, refreshToken: 'another consent' })
    expect(asked.map((form) => form.refresh_token)).toEqual([
      'first refresh token',
      'second refresh token',
      'another consent',
    ])
  })

  it.each<[string, Response | Error, string]>([
    [
      'the refusal, without secrets',
      Response.json({ error: 'invalid_client', error_description: 'No secret of the app\r\nTrace 1' }, { status: 401 }),
      'The token endpoint login.microsoftonline.com answered 401: invalid_client: No *** Trace 1',
    ],
    [
      'an answer that is no token',
      new Response('<html>', { status: 200 }),
      'The token endpoint login.microsoftonline.com answered 200, and no token.',
    ],
    ['silence', Object.assign(new Error('x'), { name: 'TimeoutError' }), 'it did not answer in time'],
    ['an unknown name', Object.assign(new Error('x'), { code: 'ENOTFOUND' }), 'could not be reached: ENOTFOUND'],
    ['a private address', new ForbiddenHost('x'), 'is not on the public internet'],
  ])('says %s', async (_what, answer, message) => {
    answers.push(answer)
    const failure = await ask().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MailboxFailure)
    expect((failure as Error).message).toContain(message)
  })
})

describe('a login with an access token', () => {
  const settings = { login: { kind: 'oauth', ...microsoft } } as unknown as MailboxSettings
  const opening = (accepts: string) => async (_settings: MailboxSettings, credentials: object) => {
    if ((credentials as { accessToken: string }).accessToken !== accepts)
      throw new MailboxFailure('refused', { isLogin: true })
    return {} as OpenMailbox
  }
  const open = (accepts: string) =>
    signIn({ accessToken, openMailbox: opening(accepts) }, tenant, settings, AbortSignal.timeout(1000))

  it('that is refused is tried once more, with a new token', async () => {
    answers.push(token('ended'), token('valid'))
    await expect(open('valid')).resolves.toEqual({})
    await expect(open('valid')).resolves.toEqual({})
    expect(asked).toHaveLength(2)
  })

  it('that is refused twice has failed', async () => {
    answers.push(token('one'), token('two'))
    await expect(open('valid')).rejects.toThrow('refused')
    expect(asked).toHaveLength(2)
  })
})
