import { clientCredentialsGrant } from 'openid-client'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  briefly,
  createOauthClients,
} from '../../../../../../../shared/accounts/sign-in/providers/oauth/oauth-client.ts'
import { RefusedSignIn } from '../../../../../../../shared/accounts/sign-in/providers/refused-sign-in.ts'
import type { FetchPublic } from '../../../../../../../shared/platform/net/guarded-request.ts'
import { type FrozenClock, frozenClock } from '../../../../../../make/builders/frozen-clock.ts'

const issuer = 'https://login.test'
const provider = { issuer, clientId: 'workflow', clientSecret: 'between the two', authority: 'tenant' } as const
const hourMs = 60 * 60_000
let clock: FrozenClock
let fetches: number
let status: number
let named: string
let methods: readonly string[] | undefined
let sent: string | null
let clientAt: ReturnType<typeof createOauthClients>
beforeEach(() => {
  clock = frozenClock()
  fetches = 0
  status = 200
  named = issuer
  methods = undefined
  const fetchPublic: FetchPublic = async (address, init) => {
    fetches += 1
    if (address.endsWith('/token')) {
      sent = new Headers(init?.headers).get('authorization')
      return Response.json({ access_token: 'a', token_type: 'bearer' })
    }
    const own = new URL(address).origin
    const metadata = {
      issuer: own === issuer ? named : own,
      token_endpoint: `${own}/token`,
      token_endpoint_auth_methods_supported: methods,
    }
    return Response.json(metadata, { status })
  }
  clientAt = createOauthClients({ fetchPublic, clock })
})

describe('the client at a provider', () => {
  it('is kept for an hour', async () => {
    await clientAt(provider)
    clock.advance(hourMs - 1)
    await clientAt(provider)
    expect(fetches).toBe(1)
    clock.advance(1)
    await clientAt(provider)
    expect(fetches).toBe(2)
  })

  it.each([{ issuer: 'https://other.test' }, { clientId: 'another' }, { clientSecret: 'another' }])(
    'is another one with %j',
    async (more) => {
      const client = await clientAt(provider)
      const other = await clientAt({ ...provider, ...more })
      expect([other === client, other.serverMetadata().issuer, other.clientMetadata().client_id]).toEqual([
        false,
        { ...provider, ...more }.issuer,
        { ...provider, ...more }.clientId,
      ])
    },
  )

  it('is one for requests at the same time', async () => {
    const [one, other] = await Promise.all([clientAt(provider), clientAt(provider)])
    expect([one === other, fetches]).toEqual([true, 1])
  })

  it('is kept with those at the 99 other providers that were used last', async () => {
    for (let n = 0; n < 100; n += 1) await clientAt({ ...provider, clientId: `client-${n}` })
    await clientAt({ ...provider, clientId: 'client-0' })
    expect(fetches).toBe(100)
    await clientAt(provider)
    await clientAt({ ...provider, clientId: 'client-0' })
    expect(fetches).toBe(101)
    await clientAt({ ...provider, clientId: 'client-1' })
    expect(fetches).toBe(102)
  })

  it('is tried again after a failure', async () => {
    status = 500
    await expect(clientAt(provider)).rejects.toThrow(RefusedSignIn)
    status = 200
    expect((await clientAt(provider)).serverMetadata().issuer).toBe(issuer)
  })

  it.each([
    [undefined, true],
    [['client_secret_post', 'client_secret_basic'], true],
    [['client_secret_post'], false],
  ])('proves itself as the provider wants, of %j: in the header %s', async (supported, inHeader) => {
    methods = supported
    await clientCredentialsGrant(await clientAt(provider))
    expect(sent?.startsWith('Basic ') ?? false).toBe(inHeader)
  })

  it.each(['https://evil.test', `${issuer}/`])(
    'is refused when the metadata names another issuer: %s',
    async (other) => {
      named = other
      await expect(clientAt(provider)).rejects.toThrow(RefusedSignIn)
    },
  )
})

describe('what the log says of an error of the client', () => {
  it.each([
    [
      { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_grant', name: 'E' },
      'OAUTH_RESPONSE_BODY_ERROR invalid_grant',
    ],
    [{ name: 'TypeError', message: 'ada@acme.test' }, 'TypeError'],
    [{ code: 'OAUTH', error: 'Ada <ada@acme.test>' }, 'OAUTH'],
    [{ code: 'OAUTH', error: { email: 'ada@acme.test' } }, 'OAUTH'],
  ])('of %j holds nothing that the provider wrote freely', (error, words) => {
    expect(briefly(error)).toBe(words)
  })
})
