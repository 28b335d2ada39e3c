import { TooManyRequests } from '../../kernel/failures/faults.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { networkBudgetKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { networkOf } from './network-of.ts'

/**
 * How many actions somebody may take in about 15 minutes and in a day. Networks are shared by whole companies, so their
 * budgets count accounts, not attempts, and what turned out well is given back.
 */
export interface Budget {
  readonly name: string
  readonly perQuarter: number
  readonly perDay: number
}

/** Accounts whose sign-in failed, and that are not known on the network. */
export const failedAccounts: Budget = { name: 'failed accounts', perQuarter: 10, perDay: 100 }
/** The same for accounts that signed in from the network before: strangers do not keep its people out. */
export const knownFailedAccounts: Budget = { name: 'known failed accounts', perQuarter: 30, perDay: 200 }
/** Registrations, which nothing gives back. */
export const registrations: Budget = { name: 'registrations', perQuarter: 60, perDay: 300 }
/** Accounts for which a new password was asked. */
export const recoveries: Budget = { name: 'recoveries', perQuarter: 30, perDay: 200 }
/** Secrets of links and sign-ins that nobody was given, or that were used up. */
export const unknownSecrets: Budget = { name: 'unknown secrets', perQuarter: 60, perDay: 300 }
/** Unknown bearer tokens and session cookies: after a holiday the browsers of a company bring many that have ended. */
export const unknownBearers: Budget = { name: 'unknown bearers', perQuarter: 1_000, perDay: 10_000 }

/** The time is cut into periods, each with a counter: the current one and so many before it count. */
const windows = [
  { letter: 'm', periodMs: 5 * 60_000, periods: 4, allowed: ({ perQuarter }: Budget) => perQuarter },
  { letter: 'h', periodMs: 3_600_000, periods: 24, allowed: ({ perDay }: Budget) => perDay },
] as const

/** The longest time until an action is settled. */
const settleMs = 3_000
const pollMs = 100
const keptSeconds = 25 * 3600

/** The row of a budget. `who`: the address of a network, of which its network counts; or a name that is no address. */
const keyOf = ({ name }: Budget, who: string): Key => networkBudgetKey(name, networkOf(who))

interface BudgetDependencies {
  readonly store: Pick<Store, 'get' | 'update' | 'write'>
  readonly clock: Clock
}

/**
 * Takes one action at `atMs` from the budget of `who`, before its outcome is known. Throws TooManyRequests when the
 * budget is used up; while it is used up by actions that are not settled yet, it waits for them.
 */
export async function spend(
  dependencies: BudgetDependencies,
  budget: Budget,
  who: string,
  atMs: number,
): Promise<void> {
  const { store, clock } = dependencies
  const key = keyOf(budget, who)
  for (;;) {
    const now = clock.now()
    const before = await store.get(deploymentWide, key)
    const waitMs = before ? waitFor(before, budget, 1, now) : 0
    if (waitMs > 0) {
      const isSettling = Number(before?.undecided) > 0 && now < Number(before?.last_ms) + settleMs
      if (!isSettling) throw new TooManyRequests(Math.ceil(waitMs / 1000))
      await clock.sleep(pollMs * (0.5 + clock.random()))
      continue
    }
    const after = await store.update(deploymentWide, {
      update: key,
      change: {
        expression: `SET #kind = :kind, v = :one, last_ms = :now, expires_at = :expires ADD undecided :one, ${countersAt(
          atMs,
        )
          .map((name) => `${name} :one`)
          .join(', ')}`,
        names: { '#kind': 'kind' },
        values: {
          ':kind': 'network_budget',
          ':one': 1,
          ':now': now,
          ':expires': Math.ceil(now / 1000) + keptSeconds,
        },
      },
    })
    await removeOldCounters(dependencies, after, now)
    if (waitFor(after, budget, 0, now) === 0) return
    // Others were faster.
    await settle(dependencies, budget, who, { giveBackAtMs: atMs })
  }
}

/** Throws TooManyRequests when the budget of `who` is used up. Takes nothing from it. */
export async function requireRoom(
  { store, clock }: Pick<BudgetDependencies, 'clock'> & { readonly store: Pick<Store, 'get'> },
  budget: Budget,
  who: string,
): Promise<void> {
  const row = await store.get(deploymentWide, keyOf(budget, who))
  const waitMs = row ? waitFor(row, budget, 1, clock.now()) : 0
  if (waitMs > 0) throw new TooManyRequests(Math.ceil(waitMs / 1000))
}

/** Settles an action that was taken. `giveBackAtMs`: when it was taken, to give it back because it turned out well. */
export async function settle(
  { store }: Pick<BudgetDependencies, 'store'>,
  budget: Budget,
  who: string,
  { giveBackAtMs, isSettled = false }: { readonly giveBackAtMs?: number; readonly isSettled?: boolean },
): Promise<void> {
  const changes = [
    ...(isSettled ? [] : ['undecided :less']),
    ...(giveBackAtMs === undefined ? [] : countersAt(giveBackAtMs).map((name) => `${name} :less`)),
  ]
  if (changes.length === 0) return
  await store.write(deploymentWide, {
    update: keyOf(budget, who),
    change: { expression: `ADD ${changes.join(', ')}`, values: { ':less': -1 } },
  })
}

const countersAt = (atMs: number): string[] =>
  windows.map(({ letter, periodMs }) => `${letter}${Math.floor(atMs / periodMs)}`)

/** How long until the budget has room for `more`, in ms; 0: it has. */
function waitFor(row: Item, budget: Budget, more: number, nowMs: number): number {
  const waits = windows.map(({ letter, periodMs, periods, allowed }) => {
    const current = Math.floor(nowMs / periodMs)
    let room = allowed(budget) - more
    // From the newest period on: the one that exceeds the budget, and all before it, must pass.
    for (let age = 0; age < periods; age += 1) {
      room -= Math.max(0, Number(row[`${letter}${current - age}`] ?? 0))
      if (room < 0) return (current - age + periods) * periodMs - nowMs
    }
    return 0
  })
  return Math.max(...waits)
}

/** Keeps the row small on a network that never rests. */
async function removeOldCounters({ store }: BudgetDependencies, row: Item, nowMs: number): Promise<void> {
  const old = Object.keys(row).filter((name) =>
    windows.some(({ letter, periodMs, periods }) => {
      const period = new RegExp(`^${letter}(\\d+)$`).exec(name)?.[1]
      return period !== undefined && Number(period) <= Math.floor(nowMs / periodMs) - periods
    }),
  )
  if (old.length === 0) return
  await store.write(deploymentWide, {
    update: { pk: String(row.pk), sk: String(row.sk) },
    change: { expression: `REMOVE ${old.join(', ')}` },
  })
}
