import { createHash } from 'node:crypto'
import { Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { FetchPublic } from '../../../platform/net/guarded-request.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import { mailboxSignInKey } from '../../../platform/store/keys/messages/mailbox.ts'
import { deploymentWide } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import type { OauthSignIn } from '../../channels/config/oauth-sign-in.ts'
import { type Mailbox, mailboxesOf, tokenUseOf } from '../../mailboxes/mailbox.ts'
import type { PollDependencies } from '../dependencies.ts'
import { MailboxFailure } from '../imap/mailbox-failure.ts'
import { unreachable } from '../mailbox-fault.ts'
import { providerEndpoints } from './provider-endpoints.ts'
import { scopeOf } from './sign-in-settings.ts'

export interface SignInDependencies extends Pick<PollDependencies, 'store' | 'config' | 'secrets'> {
  readonly clock: Clock
  readonly fetchPublic: FetchPublic
  /** The base address of the API. */
  readonly publicUrl: string
}

/** How long somebody may take to sign in at the provider. */
const lifeMs = 10 * 60_000

/** The address that a provider sends the browser back to. One for all tenants, as it is registered at the provider. */
export const callbackUrl = (publicUrl: string): string => `${publicUrl}/api/sys/mailboxes/callback`

/** A mailbox at whose provider somebody signs in. */
export type SignInMailbox = Mailbox & { readonly signIn: Omit<OauthSignIn, 'client_secret'> }

/** Where the browser goes, and the secret that it brings back in a cookie. */
export interface Departure {
  readonly url: string
  readonly browserSecret: string
  readonly lifeSeconds: number
}

/** The mailbox, if somebody can sign in for it. Throws NotFound and Invalid. */
export async function requireSignIn(
  { config }: Pick<SignInDependencies, 'config'>,
  tenant: Tenant,
  id: number,
): Promise<SignInMailbox> {
  const mailbox = (await mailboxesOf(config, tenant)).find((one) => one.id === id)
  if (!mailbox) throw new NotFound('mailbox', { id })
  const { auth } = mailbox.incoming
  if (auth?.kind === 'oauth' && auth.flow === 'authorization_code') return { ...mailbox, signIn: auth }
  throw new Invalid({
    'incoming.auth': [
      'Nobody signs in for this mailbox: that needs incoming.auth with the kind oauth and the flow authorization_code.',
    ],
  })
}

/**
 * Begins the sign-in at the provider of a mailbox, by the administrator who will finish it (RFC 6749, 4.1, with PKCE: RFC 7636).
 * Throws NotFound, Invalid where nobody signs in, and for a provider that does not answer.
 */
export async function beginSignIn(services: SignInDependencies, caller: Caller, id: number): Promise<Departure> {
  const { clock, store, fetchPublic, publicUrl } = services
  const { tenant, userId } = caller
  const { signIn, address, incoming } = await requireSignIn(services, tenant, id)
  const [state, verifier, browserSecret] = [secretOf(clock), secretOf(clock), secretOf(clock)]
  const { authorizeUrl } = await providerEndpoints(fetchPublic, signIn).catch((error: unknown) => {
    throw error instanceof MailboxFailure ? unreachable(error) : error
  })
  const endsAtMs = clock.now() + lifeMs
  const put = {
    ...mailboxSignInKey(keyHash(state)),
    kind: 'mailbox_sign_in',
    v: 1,
    tenant_id: tenant.id,
    user_id: userId,
    mailbox_id: id,
    verifier,
    browser_hash: keyHash(browserSecret),
    expires_at_ms: endsAtMs,
    expires_at: Math.ceil(endsAtMs / 1000),
  }
  await store.write(deploymentWide, { put, if: isNew })
  const url = new URL(authorizeUrl)
  const parameters = {
    response_type: 'code',
    client_id: signIn.client_id,
    redirect_uri: callbackUrl(publicUrl),
    scope: scopeOf(signIn, tokenUseOf(incoming)),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: address,
    // Google answers a refresh token only to who asks for it, and each time only after consent.
    ...(signIn.provider === 'google' && { access_type: 'offline', prompt: 'consent' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, browserSecret, lifeSeconds: lifeMs / 1000 }
}

const secretOf = (clock: Pick<Clock, 'bytes'>): string => clock.bytes(32).toString('base64url')
