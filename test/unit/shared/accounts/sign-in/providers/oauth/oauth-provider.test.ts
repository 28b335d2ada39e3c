import { describe, expect, it } from 'vitest'
import { findOauthProvider } from '../../../../../../../shared/accounts/sign-in/providers/oauth/oauth-provider.ts'
import type { Tenant } from '../../../../../../../shared/kernel/tenancy.ts'
import type { Config } from '../../../../../../../shared/platform/store/config.ts'

/** The provider of a tenant with these settings. */
function find(name: 'google' | 'microsoft' | 'sso', settings: Readonly<Record<string, string>>) {
  const rows = Object.entries(settings).map(([setting, doc]) => ({ name: setting, version: 1, doc }))
  const list = (async (_tenant: Tenant, _kind: string, read: (row: unknown) => unknown) =>
    rows.map(read)) as Config['list']
  const secrets = () => Promise.reject(new Error('these are not sealed'))
  return findOauthProvider({ config: { list }, secrets }, { id: 1 } as Tenant, name)
}

const google = { OAUTH_GOOGLE_CLIENT_ID: 'g', OAUTH_GOOGLE_CLIENT_SECRET: 'gs' }
const microsoft = { OAUTH_MICROSOFT_CLIENT_ID: 'm', OAUTH_MICROSOFT_CLIENT_SECRET: 'ms' }
const sso = { SSO_ISSUER: 'https://login.acme.test', SSO_AUDIENCE: 's' }
const directory = { OAUTH_MICROSOFT_ISSUER: 'https://directory.test' }

describe('a provider', () => {
  it('vouches for people with any address when it is Google itself, and for no others', async () => {
    const client = { clientId: 'g', clientSecret: 'gs' }
    const own = { ...google, OAUTH_GOOGLE_ISSUER: 'https://login.acme.test' }
    expect(await find('google', google)).toEqual({
      ...client,
      issuer: 'https://accounts.google.com',
      authority: 'public',
    })
    expect(await find('google', own)).toEqual({ ...client, issuer: 'https://login.acme.test', authority: 'tenant' })
    expect(await find('microsoft', { ...microsoft, ...directory, ...google })).toEqual({
      clientId: 'm',
      clientSecret: 'ms',
      issuer: 'https://directory.test',
      authority: 'tenant',
    })
  })

  it('is that of the company when its token exchange has a client secret', async () => {
    expect(await find('sso', { ...sso, SSO_CLIENT_SECRET: 'ss', SSO_GROUPS_CLAIM: 'teams' })).toEqual({
      issuer: 'https://login.acme.test',
      clientId: 's',
      clientSecret: 'ss',
      authority: 'tenant',
      groupsClaim: 'teams',
    })
  })

  it.each([
    ['sso', sso],
    ['sso', { SSO_CLIENT_SECRET: 'ss', SSO_AUDIENCE: 's' }],
    ['google', {}],
    ['google', microsoft],
    ['google', { OAUTH_GOOGLE_CLIENT_ID: 'g' }],
    ['google', { OAUTH_GOOGLE_CLIENT_SECRET: 'gs' }],
    ['microsoft', microsoft],
    ['microsoft', { ...directory, OAUTH_MICROSOFT_CLIENT_ID: 'm' }],
    ['microsoft', { ...directory, OAUTH_MICROSOFT_CLIENT_SECRET: 'ms' }],
  ] as const)('%s is not set up with %j alone', async (name, settings) => {
    expect(await find(name, settings)).toBeUndefined()
  })
})
