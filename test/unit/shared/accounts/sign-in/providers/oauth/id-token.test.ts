import { createHash, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OauthDependencies } from '../../../../../../../shared/accounts/sign-in/providers/oauth/begin-oauth.ts'
import { finishOauth } from '../../../../../../../shared/accounts/sign-in/providers/oauth/finish-oauth.ts'
import { createOauthClients } from '../../../../../../../shared/accounts/sign-in/providers/oauth/oauth-client.ts'
import { hashOf, keepState } from '../../../../../../../shared/accounts/sign-in/providers/oauth/sign-in-rows.ts'
import type { FetchPublic } from '../../../../../../../shared/platform/net/guarded-request.ts'
import type { Config } from '../../../../../../../shared/platform/store/config.ts'
import { makeKey, type ProviderKey } from '../../../../../../make/services/servers/identity-provider.ts'
import { selfSigned, weakKey } from '../../../../../../make/services/servers/weak-key.ts'
import { type AccountWorld, openAccountWorld } from '../../../../../../make/services/worlds/account-world.ts'

const issuer = 'https://login.test'
const clientId = 'workflow'
const settings = { OAUTH_GOOGLE_ISSUER: issuer, OAUTH_GOOGLE_CLIENT_ID: clientId, OAUTH_GOOGLE_CLIENT_SECRET: 's' }

let world: AccountWorld
let key: ProviderKey
let idToken: string
beforeAll(async () => {
  world = await openAccountWorld()
  key = await makeKey('one', 'RS256')
})
afterAll(() => world?.single.close())

const fetchPublic: FetchPublic = async (address) => {
  if (address.endsWith('/token')) return Response.json({ access_token: 'a', token_type: 'bearer', id_token: idToken })
  if (address.endsWith('/keys')) return Response.json({ keys: [key.jwk, weakKey] })
  return Response.json({
    issuer,
    jwks_uri: `${issuer}/keys`,
    token_endpoint: `${issuer}/token`,
    authorization_endpoint: `${issuer}/authorize`,
  })
}

/** The claims of a genuine token: the library compares `exp` with the clock of the machine. */
const claimsOf = (more: object) => {
  const iat = Math.floor(world.accounts.clock.now() / 1000)
  const exp = Math.floor(Date.now() / 1000) + 3_600
  return {
    iss: issuer,
    aud: clientId,
    sub: 'eve',
    nonce: 'n',
    email: 'eve@acme.test',
    email_verified: true,
    iat,
    exp,
    ...more,
  }
}
const signed = (claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key.privateKey)

async function signIn(token: string) {
  idToken = token
  const secret = createHash('sha256').update(randomBytes(8)).digest('hex')
  await keepState(world.accounts, secret, {
    provider: 'google',
    tenantId: world.tenant.id,
    browserHash: hashOf('cookie'),
    nonce: 'n',
    verifier: 'v'.repeat(43),
    redirect: null,
  })
  const rows = Object.entries(settings).map(([name, doc]) => ({ name, version: 1, doc }))
  const list: Config['list'] = (tenant, kind, read) =>
    kind === 'SETTING'
      ? Promise.resolve(rows.map((row) => read(row as never)))
      : world.accounts.config.list(tenant, kind, read)
  const oauth: OauthDependencies = {
    ...world.accounts,
    config: { ...world.accounts.config, list },
    settings: { APP_MODE: 'single' },
    secrets: () => Promise.reject(new Error('nothing is sealed')),
    clientAt: createOauthClients({ fetchPublic, clock: world.accounts.clock }),
    publicUrl: 'https://api.test',
    appUrl: undefined,
  }
  const parameters = { state: secret, code: 'c' }
  return finishOauth(oauth, 'google', { parameters, browserSecret: 'cookie', userAgent: undefined })
}

it.each([{}, { azp: clientId }, { aud: [clientId, 'other'], azp: clientId }])('signs in with %j', async (more) => {
  expect(await signIn(await signed(claimsOf(more)))).toMatchObject({ login: { user: { email: 'eve@acme.test' } } })
})

it('takes a clock that is a minute ahead', async () => {
  const { iat } = claimsOf({})
  expect(await signIn(await signed(claimsOf({ iat: iat + 60 })))).toMatchObject({
    login: { token: expect.any(String) },
  })
  await expect(signIn(await signed(claimsOf({ iat: iat + 61 })))).rejects.toThrow('The sign-in was refused.')
})

it.each([{ azp: 'other' }, { aud: [clientId, 'other'], azp: 'other' }, { aud: [clientId, 'other'] }])(
  'refuses %j, which was issued to another client',
  async (more) => {
    await expect(signIn(await signed(claimsOf(more)))).rejects.toThrow('The sign-in was refused.')
  },
)

it('refuses a signature with an RSA key whose exponent is 1, which anybody can make', async () => {
  await expect(signIn(selfSigned(claimsOf({})))).rejects.toThrow('The sign-in was refused.')
})
