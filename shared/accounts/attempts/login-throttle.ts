import { TooManyRequests } from '../../kernel/failures/faults.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { loginThrottleKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { type Condition, deploymentWide, type Store, type Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { above, equals, isNew } from '../../platform/store/writes/conditions.ts'
import { ConditionFailed, wasApplied } from '../../platform/store/writes/refusals.ts'
import { networkOf } from './network-of.ts'

export const allowedFailures = 5
export const windowMs = 15 * 60_000
const firstPauseMs = 30_000
export const maxPauseMs = 900_000
/** The longest time a verification may take. */
const verificationMs = 3_000
const pollMs = 100

/** The failed attempts on one account from one network. */
export interface Attempts {
  /** When each attempt of the last 15 minutes was made. */
  readonly madeAtMs: readonly number[]
  /** The number of pauses so far; each is twice as long as the one before. */
  readonly pauses: number
  readonly pausedUntilMs: number
}

export type Verdict =
  | { readonly allowed: true; readonly next: Attempts }
  | { readonly allowed: false; readonly waitMs: number }

/**
 * Whether another attempt is allowed now. The fifth failure within 15 minutes starts a pause of 30 s, and each further
 * failure one twice as long, up to 15 minutes. After 15 minutes without an attempt the count starts again.
 */
export function judgeAttempt(before: Attempts | undefined, nowMs: number): Verdict {
  if (before && nowMs < before.pausedUntilMs) return { allowed: false, waitMs: before.pausedUntilMs - nowMs }
  const pauses = before && nowMs < before.pausedUntilMs + windowMs ? before.pauses : 0
  const recent = [...(before?.madeAtMs ?? []).filter((at) => nowMs < at + windowMs), nowMs].slice(-allowedFailures)
  if (pauses === 0 && recent.length < allowedFailures)
    return { allowed: true, next: { madeAtMs: recent, pauses: 0, pausedUntilMs: 0 } }
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(pauses, 10))
  return { allowed: true, next: { madeAtMs: recent, pauses: pauses + 1, pausedUntilMs: nowMs + pauseMs } }
}

/** An attempt that was allowed and counted. Call one of its functions with the outcome. */
export interface CountedAttempt {
  /**
   * Resets the count; false when a success of another attempt has reset it already. `knownForMs`: for how long the
   * account is known on this network from now on.
   */
  succeeded(knownForMs?: number): Promise<boolean>
  failed(): Promise<void>
  /** When the first attempt of these 15 minutes was made, and whether it is this one. */
  readonly firstAtMs: number
  readonly isFirst: boolean
  /** Whether an earlier success made the account known on this network. */
  readonly isKnown: boolean
}

/**
 * Counts an attempt before its password is verified, so that concurrent attempts cannot pass together; a success resets
 * the count. Throws TooManyRequests during a pause; but while other attempts are being verified it waits for their
 * outcome, so that concurrent logins with the right password succeed. It counts per network, so nobody can lock an
 * account for others.
 */
export async function countAttempt(
  { store, clock }: { store: Pick<Store, 'get' | 'write'>; clock: Clock },
  email: string,
  sourceIp: string,
): Promise<CountedAttempt> {
  const key = loginThrottleKey(email, networkOf(sourceIp))
  let existing: Item | undefined
  // Each lost race means that another attempt was counted, so a pause ends this after five rounds.
  for (;;) {
    const now = clock.now()
    const verdict = judgeAttempt(existing && readAttempts(existing), now)
    if (!verdict.allowed) {
      if (!isVerifying(existing as Item, now)) throw new TooManyRequests(Math.ceil(verdict.waitMs / 1000))
      await clock.sleep(pollMs * (0.5 + clock.random()))
      existing = await store.get(deploymentWide, key)
      continue
    }
    const known = existing && readAttempts(existing)
    const undecided = 1 + (known?.undecided ?? 0)
    const isFirst = known === undefined || now >= known.firstAtMs + windowMs
    const firstAtMs = isFirst ? now : known.firstAtMs
    const knownUntilMs = known?.knownUntilMs ?? 0
    const row = attemptsItem(key, { ...verdict.next, undecided, firstAtMs, knownUntilMs }, now, clock.uuid())
    try {
      await store.write(deploymentWide, { put: row, if: unchangedSince(existing) })
      return {
        async succeeded(knownForMs = 0) {
          const until = Math.max(knownUntilMs, clock.now() + knownForMs)
          const asCounted = equals('first_at_ms', firstAtMs)
          const reset: Write =
            until > clock.now()
              ? {
                  put: attemptsItem(key, { ...noAttempts, knownUntilMs: until }, clock.now(), clock.uuid()),
                  if: asCounted,
                }
              : { remove: key, if: asCounted }
          return wasApplied(store.write(deploymentWide, reset))
        },
        // The condition fails when a success has reset the row, and then nobody waits.
        failed: async () => void (await wasApplied(store.write(deploymentWide, decrementUndecided(key)))),
        firstAtMs,
        isFirst,
        isKnown: now < knownUntilMs,
      }
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      existing = error.existing
    }
  }
}

/**
 * Counts a request that has no outcome to verify, such as one for a mail. Throws TooManyRequests as `countAttempt` does.
 * `subject` must not be an address alone, so that it is not counted with the logins.
 */
export async function countRequest(
  dependencies: { store: Pick<Store, 'get' | 'write'>; clock: Clock },
  subject: string,
  sourceIp: string,
): Promise<void> {
  const attempt = await countAttempt(dependencies, subject, sourceIp)
  await mayFail('settle a counted request', attempt.failed)
}

/**
 * Whether a counted attempt may still succeed. An attempt whose function crashed counts until `verificationMs` have
 * passed.
 */
function isVerifying(row: Item, nowMs: number): boolean {
  const { undecided, madeAtMs } = readAttempts(row)
  return undecided > 0 && nowMs < Math.max(...madeAtMs) + verificationMs
}

const decrementUndecided = (key: Key): Write => ({
  update: key,
  change: { expression: 'ADD undecided :less', values: { ':less': -1 } },
  if: above('undecided', 0),
})

const unchangedSince = (existing: Item | undefined): Condition =>
  existing === undefined ? isNew : equals('write_id', String(existing.write_id))

/** The row of an account and an address. */
interface CountedAttempts extends Attempts {
  /** How many of the attempts are still being verified. */
  readonly undecided: number
  /** When the first of them in 15 minutes was made. */
  readonly firstAtMs: number
  /** Until when the account is known on this network; 0: it is not. */
  readonly knownUntilMs: number
}

const noAttempts = { madeAtMs: [], pauses: 0, pausedUntilMs: 0, undecided: 0, firstAtMs: 0 }

const attemptsItem = (key: Key, attempts: CountedAttempts, nowMs: number, writeId: string): Item & Key => ({
  ...key,
  kind: 'login_attempts',
  v: 1,
  made_at_ms: attempts.madeAtMs.map(String),
  pauses: attempts.pauses,
  paused_until_ms: attempts.pausedUntilMs,
  expires_at: Math.ceil(Math.max(nowMs + windowMs, attempts.pausedUntilMs + windowMs, attempts.knownUntilMs) / 1000),
  undecided: attempts.undecided,
  first_at_ms: attempts.firstAtMs,
  ...(attempts.knownUntilMs > 0 && { known_until_ms: attempts.knownUntilMs }),
  write_id: writeId,
})

const readAttempts = (item: Item): CountedAttempts => ({
  madeAtMs: (item.made_at_ms as readonly string[]).map(Number),
  pauses: Number(item.pauses),
  pausedUntilMs: Number(item.paused_until_ms),
  undecided: Number(item.undecided ?? 0),
  firstAtMs: Number(item.first_at_ms),
  knownUntilMs: Number(item.known_until_ms ?? 0),
})
