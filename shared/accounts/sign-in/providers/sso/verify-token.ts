import * as z from 'zod'
import { maxTokenIdCharacters } from '../../../../kernel/limits/accounts.ts'
import type { Clock } from '../../../../kernel/time/clock.ts'
import { checkClaims, clockSkewSeconds } from '../identity-claims.ts'
import { RefusedSignIn } from '../refused-sign-in.ts'
import { allowedAlgorithms } from './compact-token.ts'
import type { ProviderKeys } from './provider-keys.ts'
import type { SsoProvider } from './sso-provider.ts'

export interface VerificationDependencies {
  readonly clock: Clock
  readonly keysOf: ProviderKeys
}

const Claims = z.looseObject({
  sub: z.string(),
  exp: z.int(),
  iat: z.int(),
  jti: z.string().min(1).max(maxTokenIdCharacters).optional(),
})
export type VerifiedClaims = z.output<typeof Claims>

/**
 * Verifies signature, issuer, audience and times of a token with the keys of its provider. Throws RefusedSignIn with a
 * reason that holds nothing of the token.
 */
export async function verifyToken(
  { clock, keysOf }: VerificationDependencies,
  provider: SsoProvider,
  token: string,
): Promise<VerifiedClaims> {
  const payload = await verifySignature(await fetchKeys(keysOf, provider), provider, token, clock.now())
  const claims = Claims.safeParse(payload)
  if (!claims.success) throw new RefusedSignIn('a claim is missing or of the wrong type')
  checkClaims(claims.data, provider.audience, clock.now())
  return claims.data
}

type Keys = Awaited<ReturnType<ProviderKeys>>

async function fetchKeys(keysOf: ProviderKeys, provider: SsoProvider): Promise<Keys> {
  try {
    return await keysOf(provider)
  } catch (error) {
    throw new RefusedSignIn(`the keys of the provider cannot be fetched: ${briefly(error)}`)
  }
}

async function verifySignature(
  keys: Keys,
  { issuer, audience }: SsoProvider,
  token: string,
  nowMs: number,
): Promise<unknown> {
  const { jwtVerify, errors } = await import('jose')
  const options = {
    algorithms: [...allowedAlgorithms],
    issuer,
    audience,
    clockTolerance: clockSkewSeconds,
    requiredClaims: ['exp', 'iat', 'sub'],
    currentDate: new Date(nowMs),
  }
  const refused = (error: unknown) => new RefusedSignIn(briefly(error))
  try {
    return (await jwtVerify(token, keys, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw refused(error)
    // A token without `kid` may be signed with any of several keys.
    for await (const key of error) {
      const verified = await jwtVerify(token, key, options).catch((cause: unknown) => {
        if (cause instanceof errors.JWSSignatureVerificationFailed) return undefined
        throw refused(cause)
      })
      if (verified) return verified.payload
    }
    throw refused(error)
  }
}

/** Code and claim of an error of jose, or its kind: messages may hold parts of the token. */
function briefly(error: unknown): string {
  const { code, claim, name } = error as { readonly code?: string; readonly claim?: string; readonly name?: string }
  return [code ?? name, claim].filter(Boolean).join(' ')
}
