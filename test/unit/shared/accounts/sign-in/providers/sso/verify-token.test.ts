import { SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { createProviderKeys } from '../../../../../../../shared/accounts/sign-in/providers/sso/provider-keys.ts'
import { verifyToken } from '../../../../../../../shared/accounts/sign-in/providers/sso/verify-token.ts'
import { type FrozenClock, frozenClock } from '../../../../../../make/builders/frozen-clock.ts'
import { makeKey, type ProviderKey } from '../../../../../../make/services/servers/identity-provider.ts'

const issuer = 'https://login.test'
const audience = 'workflow'
const provider = { issuer, audience, jwksUrl: `${issuer}/keys`, groupsClaim: 'groups', tenant: undefined }
const [first, second, stranger] = [await makeKey('first'), await makeKey('second'), await makeKey('stranger')]
let clock: FrozenClock
let fetches: number
let status: number
let keysOf: ReturnType<typeof createProviderKeys>
beforeEach(() => {
  clock = frozenClock()
  fetches = 0
  status = 200
  const fetchPublic = async (): Promise<Response> => {
    fetches += 1
    return Response.json({ keys: [first.jwk, second.jwk] }, { status })
  }
  keysOf = createProviderKeys({ fetchPublic, clock })
})

const now = () => Math.floor(clock.now() / 1000)
const sign = ({ alg, privateKey }: ProviderKey, claims: object = {}) =>
  new SignJWT({ iss: issuer, aud: audience, sub: 'ada', iat: now(), exp: now() + 300, ...claims })
    .setProtectedHeader({ alg })
    .sign(privateKey)
const verify = async (token: Promise<string>) => verifyToken({ clock, keysOf }, provider, await token)

describe('a token that does not name its key', () => {
  it.each([first, second])('is verified with every key of the provider: $kid', async (key) => {
    expect(await verify(sign(key))).toMatchObject({ sub: 'ada' })
  })

  it('is refused when none of them signed it', async () => {
    await expect(verify(sign(stranger))).rejects.toThrow('ERR_JWKS_MULTIPLE_MATCHING_KEYS')
  })

  it.each([
    [first, { exp: 1 }, 'ERR_JWT_EXPIRED exp'],
    [second, { exp: 1 }, 'ERR_JWT_EXPIRED exp'],
    [second, { aud: 'another' }, 'ERR_JWT_CLAIM_VALIDATION_FAILED aud'],
    [second, { jti: '' }, 'a claim is missing or of the wrong type'],
  ])('is refused for its claims all the same: $kid, %j', async (key, claims, reason) => {
    await expect(verify(sign(key, claims))).rejects.toThrow(reason)
  })

  it('does not have the keys fetched again', async () => {
    await verify(sign(first))
    clock.advance(31_000)
    await verify(sign(second))
    expect(fetches).toBe(1)
  })
})

it('says in the log when the provider does not answer with its keys', async () => {
  status = 500
  await expect(verify(sign(first))).rejects.toThrow('the keys of the provider cannot be fetched')
})
