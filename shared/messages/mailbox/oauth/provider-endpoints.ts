import * as z from 'zod'
import { lruMap } from '../../../kernel/collections/lru-map.ts'
import type { FetchPublic } from '../../../platform/net/guarded-request.ts'
import type { OauthSignIn } from '../../channels/config/oauth-sign-in.ts'
import { MailboxFailure } from '../imap/mailbox-failure.ts'

/** Where a provider lets people sign in, and where it issues tokens. */
export interface ProviderEndpoints {
  readonly authorizeUrl: string
  readonly tokenUrl: string
}

/** OpenID Connect Discovery 1.0, section 3. */
const Metadata = z.object({ authorization_endpoint: z.url({ protocol: /^https?$/ }), token_endpoint: z.url() })

/** Issuers whose metadata are kept, per instance of a function. */
const maxKept = 100
const discovered = lruMap<string, ProviderEndpoints>(maxKept)

/** The addresses of a provider: the usual ones, or those that its issuer names. Throws MailboxFailure. */
export async function providerEndpoints(
  fetchPublic: FetchPublic,
  { provider, tenant, issuer }: Pick<OauthSignIn, 'provider' | 'tenant' | 'issuer'>,
): Promise<ProviderEndpoints> {
  if (issuer) return discover(fetchPublic, issuer)
  if (provider === 'google')
    return {
      authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
    }
  // Whoever has an account of any company, where none is named.
  const base = `https://login.microsoftonline.com/${encodeURIComponent(tenant ?? 'organizations')}/oauth2/v2.0`
  return { authorizeUrl: `${base}/authorize`, tokenUrl: `${base}/token` }
}

async function discover(fetchPublic: FetchPublic, issuer: string): Promise<ProviderEndpoints> {
  const known = discovered.get(issuer)
  if (known) return known
  const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const failure = (why: string): MailboxFailure => new MailboxFailure(`The metadata at ${address} ${why}.`)
  let body: unknown
  try {
    body = await (await fetchPublic(address, { headers: { accept: 'application/json' } })).json()
  } catch (error) {
    throw failure(error instanceof SyntaxError ? 'are no JSON' : 'could not be fetched')
  }
  const read = Metadata.safeParse(body)
  if (!read.success) throw failure('name no authorization_endpoint and token_endpoint')
  const { authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl } = read.data
  discovered.set(issuer, { authorizeUrl, tokenUrl })
  return { authorizeUrl, tokenUrl }
}
