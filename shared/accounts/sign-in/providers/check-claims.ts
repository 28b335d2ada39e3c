import { RefusedSignIn } from './refused-sign-in.ts'

/** How far the clocks of provider and service may differ. */
export const clockSkewSeconds = 60

/** Claims of a token whose signature, issuer and audience were verified. */
interface Claims {
  readonly aud?: unknown
  readonly azp?: unknown
  readonly iat?: number
}

/**
 * Checks that a token was issued to `clientId` and not in the future (OpenID Connect Core §3.1.3.7): for several audiences
 * it names its authorized party, and whenever it does, that is us. Throws RefusedSignIn.
 */
export function checkClaims({ aud, azp, iat }: Claims, clientId: string, nowMs: number): void {
  if (azp === undefined && Array.isArray(aud) && aud.length > 1)
    throw new RefusedSignIn('it has several audiences, and names no authorized party (azp)')
  if (azp !== undefined && azp !== clientId) throw new RefusedSignIn('its authorized party (azp) is another client')
  if (iat !== undefined && iat > nowMs / 1000 + clockSkewSeconds) throw new RefusedSignIn('it was issued in the future')
}
