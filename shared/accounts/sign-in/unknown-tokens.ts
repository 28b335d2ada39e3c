import { lruMap } from '../../kernel/collections/lru-map.ts'
import type { FaultCode } from '../../kernel/failures/failure-codes.ts'
import { Fault } from '../../kernel/failures/faults.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Authenticate } from '../../platform/http/routing/endpoint-group.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Budget, requireRoom, settle, spend, unknownBearers, unknownSecrets } from '../attempts/budget.ts'
import { networkOf } from '../attempts/network-of.ts'
import { hashSecret } from '../credentials/token.ts'
import { UnknownToken } from '../sessions/refused-tokens.ts'

/** How a secret is refused that was not given to anybody, or was used up. */
const unknown: ReadonlySet<FaultCode> = new Set([
  'file_not_found',
  'invalid_token',
  'invitation_not_found',
  'record_not_found',
  'sign_in_refused',
  'task_not_found',
  'unauthenticated',
])

/** An instance counts a token once in this time: a page that asks again and again with an ended one guesses nothing. */
const countedForMs = 15 * 60_000
const maxRemembered = 10_000

/** Counts unknown tokens against the budget of the network that sends them, so that nobody guesses without bound (docs/decisions/0055). */
export function createTokenGuard(dependencies: {
  readonly store: Pick<Store, 'get' | 'update' | 'write'>
  readonly clock: Clock
}) {
  const counted = lruMap<string, number>(maxRemembered)

  async function count(budget: Budget, token: string, sourceIp: string): Promise<void> {
    const now = dependencies.clock.now()
    const mark = `${networkOf(sourceIp)} ${hashSecret(token).toString('base64url')}`
    if (now < (counted.get(mark) ?? 0)) return
    counted.set(mark, now + countedForMs)
    await spend(dependencies, budget, sourceIp, now)
    await settle(dependencies, budget, sourceIp, {})
  }

  /** Does what a secret alone opens: a link, or a step of a sign-in. Throws TooManyRequests, before the secret is looked up. */
  async function open<T>(
    { token, sourceIp }: { readonly token: string; readonly sourceIp: string },
    use: () => Promise<T>,
  ): Promise<T> {
    await requireRoom(dependencies, unknownSecrets, sourceIp)
    try {
      return await use()
    } catch (error) {
      if (error instanceof Fault && unknown.has(error.code)) await count(unknownSecrets, token, sourceIp)
      throw error
    }
  }

  /**
   * The same authentication, which counts unknown bearer tokens and session cookies. Beyond the budget only these are refused
   * with TooManyRequests: a broken program keeps nobody out who works on the same network.
   */
  const guarded =
    (authenticate: Authenticate): Authenticate =>
    async (authorization, reads, model, sourceIp) => {
      try {
        return await authenticate(authorization, reads, model, sourceIp)
      } catch (error) {
        if (error instanceof UnknownToken && authorization !== undefined && sourceIp !== undefined)
          await count(unknownBearers, authorization, sourceIp)
        throw error
      }
    }

  return { open, guarded }
}
