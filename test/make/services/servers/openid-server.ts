/** A real OpenID provider (oidc-provider) on this machine, whose login page is one button per account. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

export const client = { id: 'workflow', secret: 'a secret between the two of them' }

/** Claims of the accounts, by subject. */
export type OpenIdAccounts = Record<string, Readonly<Record<string, unknown>>>

export interface OpenIdServer {
  readonly issuer: string
  readonly accounts: OpenIdAccounts
  /** An ID token of the client, as an application gets it that signs in by itself. */
  idToken(name: string): Promise<string>
  /** Signs with a new key from now on; the old one is gone. */
  rotateKeys(): Promise<void>
  stop(): Promise<void>
}

/** Starts it with a client whose redirect addresses are those of the service at `serviceUrl`. */
export async function startOpenIdServer(
  serviceUrl: string,
  accounts: OpenIdAccounts,
  { conformIdTokenClaims = true }: Pick<Configuration, 'conformIdTokenClaims'> = {},
): Promise<OpenIdServer> {
  let handle: RequestListener = (_, response) => response.writeHead(503).end()
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let keys = 0
  let signing: { readonly kid: string; readonly privateKey: CryptoKey }

  async function rotateKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const kid = `key-${(keys += 1)}`
    const key = { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' }
    signing = { kid, privateKey }
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: ['google', 'microsoft', 'sso'].map((name) => `${serviceUrl}/api/auth/${name}/callback`),
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['test'] },
      conformIdTokenClaims,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts[accountId] }) }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    })
    provider.use(async (context, next) => {
      const [, uid] = /^\/interaction\/([\w-]+)$/.exec(context.path) ?? []
      if (uid === undefined) return next()
      const { as } = context.query
      if (typeof as !== 'string') {
        context.body = Object.keys(accounts)
          .map((name) => `<a href="/interaction/${uid}?as=${name}">Sign in as ${name}</a>`)
          .join('<br>')
        return undefined
      }
      const grant = new provider.Grant({ accountId: as, clientId: client.id })
      grant.addOIDCScope('openid email profile')
      const result =
        as === 'nobody'
          ? { error: 'access_denied' }
          : { login: { accountId: as }, consent: { grantId: await grant.save() } }
      await provider.interactionFinished(context.req, context.res, result)
      context.respond = false
      return undefined
    })
    handle = provider.callback()
  }

  await rotateKeys()
  return {
    issuer,
    accounts,
    rotateKeys,
    idToken: (name) =>
      new SignJWT({ ...accounts[name], jti: `${name}-${Math.random()}` })
        .setProtectedHeader({ alg: 'RS256', kid: signing.kid })
        .setIssuer(issuer)
        .setAudience(client.id)
        .setSubject(name)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(signing.privateKey),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
