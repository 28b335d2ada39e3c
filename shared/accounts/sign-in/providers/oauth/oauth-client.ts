import { createHash } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { lruMap } from '../../../../kernel/collections/lru-map.ts'
import type { Clock } from '../../../../kernel/time/clock.ts'
import type { FetchPublic } from '../../../../platform/net/guarded-request.ts'
import { RefusedSignIn } from '../refused-sign-in.ts'
import { strongKeys } from '../strong-keys.ts'
import type { OauthProvider } from './oauth-provider.ts'

const cachedMs = 60 * 60_000
const maxCached = 100

/** Answers the client at a provider. Throws RefusedSignIn when its metadata cannot be fetched. */
export type OauthClients = (provider: OauthProvider) => Promise<Configuration>

/** Opens the clients at providers. Their metadata is cached for an hour, per instance of the function. */
export function createOauthClients({
  fetchPublic,
  clock,
}: {
  readonly fetchPublic: FetchPublic
  readonly clock: Pick<Clock, 'now'>
}): OauthClients {
  const clients = lruMap<string, { readonly untilMs: number; readonly client: Promise<Configuration> }>(maxCached)

  return async (provider) => {
    const { issuer, clientId, clientSecret } = provider
    const name = createHash('sha256')
      .update(JSON.stringify([issuer, clientId, clientSecret]))
      .digest('base64url')
    const cached = clients.get(name)
    const known = cached && clock.now() < cached.untilMs ? cached.client : undefined
    const client = known ?? discover(fetchPublic, provider)
    if (!known) clients.set(name, { untilMs: clock.now() + cachedMs, client })
    try {
      return await client
    } catch (error) {
      clients.delete(name)
      throw new RefusedSignIn(`the metadata of the provider cannot be fetched: ${briefly(error)}`)
    }
  }
}

async function discover(
  fetchPublic: FetchPublic,
  { issuer, clientId, clientSecret }: OauthProvider,
): Promise<Configuration> {
  const openid = await import('openid-client')
  // Basic is what every provider has to understand (RFC 6749 §2.3.1), unless its metadata leaves it out.
  const [basic, post] = [openid.ClientSecretBasic(clientSecret), openid.ClientSecretPost(clientSecret)]
  const client = await openid.discovery(
    new URL(issuer),
    clientId,
    {},
    (server, own, body, headers) => {
      const supported = server.token_endpoint_auth_methods_supported
      const authenticate = supported && !supported.includes('client_secret_basic') ? post : basic
      return authenticate(server, own, body, headers)
    },
    {
      [openid.customFetch]: async (url, init) => withStrongKeys(await fetchPublic(url, init)),
      // The fetch itself allows http for providers on the machine of a local service only.
      ...(issuer.startsWith('http:') && { execute: [openid.allowInsecureRequests] }),
    },
  )
  if (client.serverMetadata().issuer !== issuer) throw new Error('the metadata names another issuer')
  // The signature is verified too, not only the connection that brought the token.
  openid.enableNonRepudiationChecks(client)
  return client
}

/** The answer without weak keys, when it is a key set: no other answer of a provider has `keys`. */
async function withStrongKeys(answer: Response): Promise<Response> {
  const given: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  const strong = strongKeys(given)
  return strong === given ? answer : Response.json(strong, { status: answer.status })
}

/** The code of an error of the client, or its kind: messages may hold what the provider sent. */
export const briefly = (error: unknown): string => {
  const {
    code,
    error: answered,
    name,
  } = error as { readonly code?: string; readonly error?: string; readonly name?: string }
  const word = typeof answered === 'string' && /^[a-z_]{1,50}$/.test(answered) ? answered : undefined
  return [code ?? name, word].filter(Boolean).join(' ')
}
