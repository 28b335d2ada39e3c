import type { Clock } from '../../../../kernel/time/clock.ts'
import { usedTokenKey } from '../../../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../../../platform/store/store.ts'
import { isNew } from '../../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../../platform/store/writes/refusals.ts'
import { clockSkewSeconds } from '../identity-claims.ts'
import { RefusedSignIn } from '../refused-sign-in.ts'
import type { VerifiedClaims } from './verify-token.ts'

/**
 * Notes that a token has signed in, until it expires. Throws RefusedSignIn when it has already. A token without `jti`
 * may be used until it expires.
 */
export async function useTokenOnce(
  { store, clock }: { readonly store: Pick<Store, 'write'>; readonly clock: Pick<Clock, 'uuid'> },
  issuer: string,
  { jti, exp }: VerifiedClaims,
): Promise<void> {
  if (jti === undefined) return
  const row = {
    ...usedTokenKey(issuer, jti),
    kind: 'used_token',
    v: 1,
    expires_at: exp + 2 * clockSkewSeconds,
    write_id: clock.uuid(),
  }
  if (!(await wasApplied(store.write(deploymentWide, { put: row, if: isNew }))))
    throw new RefusedSignIn('the token has been used')
}
