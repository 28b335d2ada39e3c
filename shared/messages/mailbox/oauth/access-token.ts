import * as z from 'zod'
import { ForbiddenHost } from '../../../kernel/addresses/public-address.ts'
import { lruMap } from '../../../kernel/collections/lru-map.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { oneLine } from '../../../platform/mail/mail-address.ts'
import type { FetchPublic } from '../../../platform/net/guarded-request.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import type { OauthSettings } from '../../mailboxes/mailbox-settings.ts'
import { MailboxFailure } from '../imap/mailbox-failure.ts'
import { currentRefreshToken, keepRefreshToken, type RefreshTokenDependencies } from './refresh-token.ts'

export interface TokenDependencies extends RefreshTokenDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly fetchPublic: FetchPublic
}

/** Answers an access token for the mailbox of a tenant; `fresh`: not one that was used before. Throws MailboxFailure. */
export type FindAccessToken = (
  tenant: TenantRef,
  settings: OauthSettings,
  options: { readonly fresh: boolean },
) => Promise<string>

/** RFC 6749, sections 5.1 and 5.2. */
const TokenAnswer = z.object({
  access_token: z.string().min(1).max(16_384),
  expires_in: z.coerce.number().optional().catch(undefined),
  refresh_token: z.string().min(1).optional().catch(undefined),
})
const TokenRefusal = z.object({
  error: z.string(),
  error_description: z.string().optional().catch(undefined),
})

/** A token is not used any more so long before its end. */
const reserveMs = 5 * 60_000
/** When the provider does not say how long a token lives. */
const defaultSeconds = 10 * 60
/** Of tenants. */
const maxKept = 1_000

/** Keeps access tokens in memory until shortly before their end. */
export function createAccessTokens(services: TokenDependencies): FindAccessToken {
  const kept = lruMap<string, { readonly token: string; readonly untilMs: number }>(maxKept)
  return async (tenant, settings, { fresh }) => {
    const key = `${tenant.id}#${keyHash(JSON.stringify(settings))}`
    const known = kept.get(key)
    if (known && !fresh && services.clock.now() < known.untilMs) return known.token
    kept.delete(key)
    const { token, seconds } = await askForToken(services, tenant, settings)
    kept.set(key, { token, untilMs: services.clock.now() + seconds * 1000 - reserveMs })
    return token
  }
}

async function askForToken(services: TokenDependencies, tenant: TenantRef, settings: OauthSettings) {
  const { grant, tokenUrl, clientId, clientSecret, scope } = settings
  const refreshToken = grant === 'refresh_token' ? await currentRefreshToken(services, tenant, settings) : undefined
  if (grant === 'refresh_token' && refreshToken === undefined) throw nobodySignedIn(settings)
  const { token, seconds, next } = await requestTokens(services, tokenUrl, {
    grant_type: grant,
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scope !== undefined && { scope }),
  })
  // Before its use: a provider may have ended the former one.
  if (next !== undefined && refreshToken !== undefined && next !== refreshToken)
    await keepRefreshToken(services, tenant, settings, next)
  return { token, seconds }
}

const nobodySignedIn = ({ mailboxId = 0 }: OauthSettings): MailboxFailure =>
  new MailboxFailure(
    `Nobody has signed in for this mailbox at its provider: do so by POST /api/sys/mailboxes/${mailboxId}/authorize.`,
  )

/** Asks a token endpoint. `next`: the refresh token that it answers, if any. Throws MailboxFailure. */
export async function requestTokens(
  services: Pick<TokenDependencies, 'fetchPublic'>,
  tokenUrl: string,
  asked: Readonly<Record<string, string>>,
): Promise<{ readonly token: string; readonly seconds: number; readonly next: string | undefined }> {
  const form = new URLSearchParams(asked)
  const { status, body } = await post(services, tokenUrl, form)
  const answer = TokenAnswer.safeParse(body)
  if (status !== 200 || !answer.success) throw refused(tokenUrl, status, body, [...form.values()])
  const { access_token: token, expires_in: seconds = defaultSeconds, refresh_token: next } = answer.data
  return { token, seconds, next }
}

async function post({ fetchPublic }: Pick<TokenDependencies, 'fetchPublic'>, url: string, form: URLSearchParams) {
  try {
    const answer = await fetchPublic(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form,
    })
    // What is no JSON is no token.
    return { status: answer.status, body: (await answer.json().catch(() => undefined)) as unknown }
  } catch (error) {
    const { host } = new URL(url)
    if (error instanceof ForbiddenHost)
      throw new MailboxFailure(`The token endpoint ${host} is not on the public internet, or not https.`)
    const { name, code } = error as NodeJS.ErrnoException
    const why = name === 'TimeoutError' ? 'it did not answer in time' : (code ?? 'no connection')
    throw new MailboxFailure(`The token endpoint ${host} could not be reached: ${why}.`)
  }
}

/** What the endpoint said, without what was sent to it. */
function refused(url: string, status: number, body: unknown, sent: readonly string[]): MailboxFailure {
  const said = TokenRefusal.safeParse(body)
  const { host } = new URL(url)
  if (!said.success) return new MailboxFailure(`The token endpoint ${host} answered ${status}, and no token.`)
  const { error, error_description: description = '' } = said.data
  const whole = oneLine(`${error}${description === '' ? '' : `: ${description}`}`)
  const shown = sent.filter((word) => word.length > 8).reduce((text, word) => text.replaceAll(word, '***'), whole)
  // 401: the client; 400: above all a sign-in that was ended (invalid_grant). Neither mends itself.
  const isRefused = status === 400 || status === 401
  const reason = `The token endpoint ${host} answered ${status}: ${shown.slice(0, 300).toWellFormed()}`
  return new MailboxFailure(reason, { isRefused })
}
