/** An identity provider for tests: it signs tokens, and serves its keys on this machine. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'

export interface ProviderKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

export interface IdentityProvider {
  readonly issuer: string
  readonly jwksUrl: string
  /** The paths that were requested. */
  readonly requests: string[]
  /** The keys it serves. */
  keys: ProviderKey[]
  /** Replaces the answer to the next requests, for faults; undefined serves the keys again. */
  answer:
    | ((request: IncomingMessage, path: string) => { status: number; headers?: object; body?: string } | undefined)
    | undefined
  /** A token for the audience `workflow` that expires in five minutes. An undefined claim is left out. */
  sign(claims?: Readonly<Record<string, unknown>>, options?: SignOptions): Promise<string>
  stop(): Promise<void>
}

interface SignOptions {
  readonly key?: ProviderKey
  readonly header?: Readonly<Record<string, unknown>>
}

export async function makeKey(kid: string, alg = 'ES256'): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } }
}

let count = 0

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const keys = [await makeKey('first')]
  const requests: string[] = []
  const server: Server = createServer((request, response) => {
    const path = request.url as string
    requests.push(path)
    const given = provider.answer?.(request, path)
    const own =
      path === '/keys'
        ? { keys: provider.keys.map(({ jwk }) => jwk) }
        : path === '/.well-known/openid-configuration'
          ? {
              issuer: provider.issuer,
              jwks_uri: provider.jwksUrl,
              authorization_endpoint: `${provider.issuer}/authorize`,
              token_endpoint: `${provider.issuer}/token`,
            }
          : undefined
    response.writeHead(given?.status ?? (own ? 200 : 404), { ...given?.headers, 'content-type': 'application/json' })
    response.end(given ? given.body : JSON.stringify(own ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: IdentityProvider = {
    issuer,
    jwksUrl: `${issuer}/keys`,
    requests,
    keys,
    answer: undefined,
    sign(claims = {}, { key = provider.keys[0] as ProviderKey, header = {} } = {}) {
      const now = Math.floor(Date.now() / 1000)
      const all = {
        iss: issuer,
        aud: 'workflow',
        sub: 'subject-1',
        email: 'ada@acme.test',
        email_verified: true,
        name: 'Ada Lovelace',
        iat: now,
        exp: now + 300,
        jti: `token-${(count += 1)}`,
        ...claims,
      }
      return new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
        .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
        .sign(key.privateKey)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return provider
}
