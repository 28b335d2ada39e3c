/** Tokens that were not signed by the provider, or not for us, after the cases of Wycheproof's set for JWS. */
import { createHmac, createSign, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { exportJWK, exportSPKI } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createTenantWithAdministrator } from '../../../../../../shared/accounts/people/create-tenant.ts'
import { logInSso, type SsoDependencies } from '../../../../../../shared/accounts/sign-in/providers/sso/log-in-sso.ts'
import { createProviderKeys } from '../../../../../../shared/accounts/sign-in/providers/sso/provider-keys.ts'
import { log } from '../../../../../../shared/kernel/runtime/log.ts'
import { createConfig } from '../../../../../../shared/platform/store/config.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { makeKey, type ProviderKey } from '../../../../../make/services/servers/identity-provider.ts'
import { selfSigned, weakKey } from '../../../../../make/services/servers/weak-key.ts'
import { openSingleTable } from '../../../../../make/services/stores/single-table.ts'

const issuer = 'https://login.acme.test'
const audience = 'workflow'
const jwksUrl = 'https://login.acme.test/keys'
const clock = frozenClock()
const now = Math.floor(clock.now() / 1000)

let services: SsoDependencies
let key: ProviderKey
let served: object[]
const fetched: string[] = []
beforeAll(async () => {
  const { store } = await openSingleTable()
  const administrator = { name: 'Grace', email: 'grace@acme.test', password: 'nanoseconds of wire' }
  await createTenantWithAdministrator({ store, clock }, { slug: 'acme', name: 'Acme', administrator })
  key = await makeKey('one', 'RS256')
  served = [key.jwk]
  const fetchPublic = async (address: string): Promise<Response> => {
    fetched.push(address)
    return Response.json({ keys: served })
  }
  services = {
    store,
    clock,
    config: createConfig(store, clock),
    settings: { APP_MODE: 'single', SSO_ISSUER: issuer, SSO_AUDIENCE: audience, SSO_JWKS_URL: jwksUrl },
    keysOf: createProviderKeys({ fetchPublic, clock }),
  }
})

let count = 0
const claims = (more: object = {}) => ({
  iss: issuer,
  aud: audience,
  sub: 'ada',
  email: 'ada@acme.test',
  iat: now,
  exp: now + 300,
  jti: `jti-${(count += 1)}`,
  ...more,
})
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const input = (header: object, body: unknown = claims()): string => `${encode(header)}.${encode(body)}`
const rs256 = { alg: 'RS256', kid: 'one' }

/** A genuine signature of the provider, over any header. */
const genuine = async (header: object = rs256, body: unknown = claims()): Promise<string> => {
  const text = input(header, body)
  const signer = createSign('sha256').update(text)
  const { KeyObject } = await import('node:crypto')
  return `${text}.${signer.sign(KeyObject.from(key.privateKey)).toString('base64url')}`
}
const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 })
const byAttacker = (header: object, body: unknown = claims()): string => {
  const text = input(header, body)
  return `${text}.${createSign('sha256').update(text).sign(attacker.privateKey).toString('base64url')}`
}
const withHmac = (secret: string | Buffer, header: object): string => {
  const text = input(header)
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const signIn = (token: string) => logInSso(services, { token, userAgent: undefined })
const attackerJwk = () => attacker.publicKey.export({ format: 'jwk' })

it('a genuine token signs in, so that the others are refused for their fault alone', async () => {
  expect((await signIn(await genuine())).user.email).toBe('ada@acme.test')
  expect((await signIn(await genuine({ ...rs256, typ: 'JWT' }))).user.email).toBe('ada@acme.test')
  expect((await signIn(await genuine({ alg: 'RS256' }))).user.email).toBe('ada@acme.test')
  for (const skew of [
    { exp: now - 59 },
    { nbf: now + 60 },
    { iat: now + 60 },
    { aud: ['other', audience], azp: audience },
    { azp: audience },
  ])
    expect((await signIn(await genuine(rs256, claims(skew)))).user.email).toBe('ada@acme.test')
})

describe('a forged token is refused', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['without a signature (alg none)', () => `${input({ alg: 'none' })}.`],
    ['alg none with a signature', async () => (await genuine()).replace(/^[^.]+/, encode({ alg: 'none' }))],
    ['alg None in other letters', () => `${input({ alg: 'nOnE' })}.AAAA`],
    ['alg left out', () => byAttacker({ kid: 'one' })],
    ['alg that is a number', () => byAttacker({ alg: 256, kid: 'one' })],
    ['alg that is a list', () => byAttacker({ alg: ['RS256'], kid: 'one' })],
    [
      'HMAC with the public key in PEM',
      async () => withHmac(await exportSPKI(key.publicKey), { alg: 'HS256', kid: 'one' }),
    ],
    [
      'HMAC with the modulus',
      async () => withHmac(Buffer.from((await exportJWK(key.publicKey)).n as string, 'base64url'), { alg: 'HS256' }),
    ],
    ['HMAC with an empty secret', () => withHmac('', { alg: 'HS256' })],
    ['HMAC under the name of RS256', async () => withHmac(await exportSPKI(key.publicKey), rs256)],
    ['the key of somebody else', () => byAttacker(rs256)],
    ['jku of the attacker', () => byAttacker({ ...rs256, jku: 'https://evil.test/keys' })],
    ['x5u of the attacker', () => byAttacker({ ...rs256, x5u: 'https://evil.test/cert' })],
    ['a key that it brings along', () => byAttacker({ ...rs256, jwk: attackerJwk() })],
    ['a certificate that it brings along', () => byAttacker({ ...rs256, x5c: ['MIIB'] })],
    ['jku in a genuine one', () => genuine({ ...rs256, jku: jwksUrl })],
    ['kid with a path', () => byAttacker({ alg: 'RS256', kid: '../../../../dev/null' })],
    ['kid with an address', () => byAttacker({ alg: 'RS256', kid: 'https://evil.test/keys' })],
    ['kid that is an object', () => genuine({ alg: 'RS256', kid: {} })],
    ['crit that is unknown', () => genuine({ ...rs256, crit: ['exp'], exp: 1 })],
    ['crit that is empty', () => genuine({ ...rs256, crit: [] })],
    ['b64 false', () => genuine({ ...rs256, crit: ['b64'], b64: false })],
    ['zip', () => genuine({ ...rs256, zip: 'DEF' })],
    ['a logout token', () => genuine({ ...rs256, typ: 'logout+jwt' })],
    ['a body that was changed', async () => swap(await genuine(), 1, encode(claims({ email: 'grace@acme.test' })))],
    ['a header that was changed', async () => swap(await genuine(), 0, encode({ ...rs256, typ: 'JWT' }))],
    ['an empty signature', async () => swap(await genuine(), 2, '')],
    [
      'half a signature',
      async () => swap(await genuine(), 2, (await genuine()).split('.')[2]?.slice(0, 100) as string),
    ],
    ['a signature of zeros', async () => swap(await genuine(), 2, Buffer.alloc(256).toString('base64url'))],
    [
      'a signature of another algorithm',
      async () => {
        const text = input({ alg: 'PS256', kid: 'one' })
        const { KeyObject } = await import('node:crypto')
        return `${text}.${signBytes('sha256', Buffer.from(text), KeyObject.from(key.privateKey)).toString('base64url')}`
      },
    ],
    ['RSA under the name of ES256', () => genuine({ alg: 'ES256', kid: 'one' })],
    ['expired', () => genuine(rs256, claims({ exp: now - 61 }))],
    ['not valid yet', () => genuine(rs256, claims({ nbf: now + 61 }))],
    ['issued in the future', () => genuine(rs256, claims({ iat: now + 61 }))],
    ['issued to another client', () => genuine(rs256, claims({ azp: 'other' }))],
    [
      'issued to another client, for us as well',
      () => genuine(rs256, claims({ aud: [audience, 'other'], azp: 'other' })),
    ],
    ['for several audiences without a client', () => genuine(rs256, claims({ aud: [audience, 'other'] }))],
    ['issued to a client that is no text', () => genuine(rs256, claims({ azp: [audience] }))],
    ['for another audience', () => genuine(rs256, claims({ aud: 'Workflow' }))],
    ['for no audience', () => genuine(rs256, claims({ aud: [] }))],
    ['of an issuer with a slash more', () => genuine(rs256, claims({ iss: `${issuer}/` }))],
    ['of several issuers', () => genuine(rs256, claims({ iss: [issuer] }))],
    ['of an issuer that is no text', () => genuine(rs256, claims({ iss: { toString: 1 } }))],
    ['a body that is a list', () => genuine(rs256, [claims()])],
    ['a body that is no JSON', () => genuine(rs256, '{"iss":')],
    ['a header that is no JSON', async () => swap(await genuine(), 0, encode('alg'))],
  ])('%s', async (_, make) => {
    await expectRefused(await make())
  })

  it.each<[string, (token: string) => string]>([
    ['padding', (token) => `${token}=`],
    ['padding inside', (token) => token.replace('.', '=.')],
    ['a trailing dot', (token) => `${token}.`],
    ['a fourth segment', (token) => `${token}.${encode('x')}`],
    ['five segments', (token) => `${token}.AA.AA`],
    ['a doubled dot', (token) => token.replace('.', '..')],
    ['a leading dot', (token) => `.${token}`],
    ['a space at the end', (token) => `${token} `],
    ['a line end', (token) => `${token}\n`],
    ['a space inside', (token) => `${token.slice(0, 20)} ${token.slice(20)}`],
    ['a tab at the start', (token) => `\t${token}`],
    ['a zero byte', (token) => `${token}\0`],
    ['trailing bytes', (token) => `${token}AA`],
    ['another last bit', (token) => `${token.slice(0, -1)}${lastBit(token)}`],
    [
      'plain base64',
      (token) => swap(token, 2, Buffer.from(token.split('.')[2] as string, 'base64url').toString('base64')),
    ],
    ['a letter of another script', (token) => token.replace('e', 'е')],
    ['Bearer', (token) => `Bearer ${token}`],
    [
      'JSON serialization',
      (token) => {
        const [head, body, signature] = token.split('.')
        return JSON.stringify({ protected: head, payload: body, signature })
      },
    ],
    ['nothing but dots', () => '..'],
    ['nothing at all', () => ''],
    ['20,000 characters', (token) => token + 'A'.repeat(20_000)],
    ['a million dots', () => '.'.repeat(1_000_000)],
  ])('when the genuine one has %s', async (_, damage) => {
    await expectRefused(damage(await genuine()))
  })

  it('when the provider serves a secret or a private key, or one that is too short or too simple', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const secret = { kty: 'oct', kid: 'secret', k: Buffer.alloc(32).toString('base64url') }
    const before = served
    served = [
      secret,
      { ...(await exportJWK(key.privateKey)), kid: 'private' },
      { ...short.publicKey.export({ format: 'jwk' }), kid: 'short' },
      weakKey,
    ]
    clock.advance(11 * 60_000)
    const later = { iat: Math.floor(clock.now() / 1000), exp: Math.floor(clock.now() / 1000) + 60 }
    await expectRefused(withHmac(Buffer.alloc(32), { alg: 'HS256', kid: 'secret' }))
    await expectRefused(await genuine({ alg: 'RS256', kid: 'private' }, claims(later)))
    const text = input({ alg: 'RS256', kid: 'short' }, claims(later))
    await expectRefused(`${text}.${createSign('sha256').update(text).sign(short.privateKey).toString('base64url')}`)
    await expectRefused(selfSigned(claims(later)))
    served = before
  })
})

/** One 401 for all, and one line in the log that holds neither the token nor a stack. */
async function expectRefused(token: string): Promise<void> {
  const warn = vi.spyOn(log, 'warn').mockReturnValue()
  await expect(signIn(token)).rejects.toMatchObject({
    code: 'sign_in_refused',
    message: 'The sign-in was refused.',
  })
  const lines = warn.mock.calls
  warn.mockRestore()
  expect(fetched.filter((address) => address !== jwksUrl)).toEqual([])
  expect(lines).toEqual([['refused a sign-in at a provider', { provider: 'sso', reason: expect.any(String) }]])
  const text = JSON.stringify(lines)
  expect([text.includes('    at '), token.length > 20 && text.includes(token.slice(0, 20)), text.length < 200]).toEqual(
    [false, false, true],
  )
}

const swap = (token: string, index: number, segment: string): string =>
  token
    .split('.')
    .map((one, at) => (at === index ? segment : one))
    .join('.')

/** The last character with a bit set that is not part of the signature. */
function lastBit(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[alphabet.indexOf(token.at(-1) as string) + 1] as string
}
