import { isIPv6 } from 'node:net'
import type { Clock } from '../../kernel/clock.ts'
import { TooManyRequests } from '../../kernel/faults.ts'
import { above, equals, isNew } from '../../store/conditions.ts'
import { loginThrottleKey } from '../../store/keys/auth.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import { ConditionFailed, hasHeld } from '../../store/refusals.ts'
import { type Condition, deploymentWide, type Store, type Write } from '../../store/table.ts'

export const allowedFailures = 5
export const windowMs = 15 * 60_000
const firstPauseMs = 30_000
export const longestPauseMs = 900_000
/** No verification takes longer, whatever else the machine does. */
const verificationMs = 3_000
const pollMs = 100

/** The failed attempts on one account from one address. */
export interface Attempts {
  /** When each attempt of the last 15 minutes was made. */
  readonly madeAtMs: readonly number[]
  /** How many pauses there were; each is twice as long as the one before. */
  readonly pauses: number
  readonly pausedUntilMs: number
}

export type Verdict =
  | { readonly allowed: true; readonly next: Attempts }
  | { readonly allowed: false; readonly waitMs: number }

/**
 * Whether one more attempt may be made now. The fifth failure within 15 minutes begins a pause of 30 s; every failure after
 * it one twice as long, up to 15 minutes. A quarter of an hour of quiet forgets everything.
 */
export function judgeAttempt(before: Attempts | undefined, nowMs: number): Verdict {
  if (before && nowMs < before.pausedUntilMs) return { allowed: false, waitMs: before.pausedUntilMs - nowMs }
  const pauses = before && nowMs < before.pausedUntilMs + windowMs ? before.pauses : 0
  const recent = [...(before?.madeAtMs ?? []).filter((at) => nowMs < at + windowMs), nowMs].slice(-allowedFailures)
  if (pauses === 0 && recent.length < allowedFailures)
    return { allowed: true, next: { madeAtMs: recent, pauses: 0, pausedUntilMs: 0 } }
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(pauses, 10))
  return { allowed: true, next: { madeAtMs: recent, pauses: pauses + 1, pausedUntilMs: nowMs + pauseMs } }
}

/** An attempt that was let through and counted; tell how it ended. */
export interface CountedAttempt {
  /** Forgets the failures before it. */
  succeeded(): Promise<void>
  failed(): Promise<void>
}

/**
 * Counts an attempt before its password is looked at, so that attempts made at once cannot pass together; a success takes
 * the count back. Throws TooManyRequests during a pause. While counted attempts are still being verified it waits for how
 * they end instead: many right logins at once are no attack. Other addresses are not held up: nobody can lock an account.
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
    const undecided = 1 + (existing ? readAttempts(existing).undecided : 0)
    const row = attemptsItem(key, { ...verdict.next, undecided }, now, clock.uuid())
    try {
      await store.write(deploymentWide, { put: row, if: unchangedSince(existing) })
      return {
        succeeded: () => store.write(deploymentWide, { remove: key }),
        // A success meanwhile removed the row: then nobody waits.
        failed: async () => void (await hasHeld(store.write(deploymentWide, decrementUndecided(key)))),
      }
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      existing = error.existing
    }
  }
}

/** Whether one of the counted attempts may still turn out right; one whose function died is given up after a while. */
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
}

const attemptsItem = (key: Key, attempts: CountedAttempts, nowMs: number, writeId: string): Item & Key => ({
  ...key,
  kind: 'login_attempts',
  v: 1,
  made_at_ms: attempts.madeAtMs.map(String),
  pauses: attempts.pauses,
  paused_until_ms: attempts.pausedUntilMs,
  expires_at: Math.ceil((Math.max(nowMs, attempts.pausedUntilMs) + windowMs) / 1000),
  undecided: attempts.undecided,
  write_id: writeId,
})

const readAttempts = (item: Item): CountedAttempts => ({
  madeAtMs: (item.made_at_ms as readonly string[]).map(Number),
  pauses: Number(item.pauses),
  pausedUntilMs: Number(item.paused_until_ms),
  undecided: Number(item.undecided ?? 0),
})

/** Whoever has one IPv6 address has 2^64 of them, so the first half of it counts. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1] as string
  const [head = '', tail = ''] = (address.split('%', 1)[0] as string).split('::')
  const front = head.split(':').filter(Boolean)
  const back = tail.split(':').filter(Boolean)
  const gap = address.includes('::')
    ? Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
    : []
  const groups = [...front, ...gap, ...back].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
