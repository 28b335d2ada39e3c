import { performance } from 'node:perf_hooks'

/*
 * The values were chosen by `npm run bench:neighbour` on two cores: change one only with a run before and after. Decision
 * 0058 tells the choices, docs/benchmarks.md the figures: without turns, the p95 of a create beside a flood is 7.2 times the
 * idle one instead of 2.1.
 */

/** A tenant counts as active for so long after its last step: two half-lives, after which what it used decides nothing. */
const activeMs = 1_000
/**
 * What was used counts half after so long. Shorter, and a flood looks light between two of its bursts; longer, and somebody
 * who imported a file is still held back when they click again.
 */
const halfLifeMs = 500
/**
 * So long after the last step of a lighter tenant's requests, which have no call in flight, others go on. A request that
 * computes between two calls makes its next one within that; waiting longer leaves the loop idle.
 */
const quietMs = 3
/** Nobody is held for a lighter tenant's requests, or rests beside them, for longer than this: light tenants starve nobody. */
export const maxHoldMs = 50
/**
 * Only who has used so much more than a lighter tenant is held for it: about a third of the loop. Two
 * ordinary tenants hold nobody.
 */
const floodMs = 200
/** A call that takes longer than this waits for a disk or a queue: nobody is held for it, as the loop would stay idle. */
const usualCallMs = 20
/** A tenant that has used half of the loop for so long is paced. A burst, such as a large list, ends before. */
const heavyMs = 500
/** What a paced tenant counts as having used besides: at its pace, it would soon look light, and flood again. */
const pacedMs = 1_000
/**
 * The loop stays free for at most so many times as long as it was busy, so a flood keeps a third of the loop. With less, a
 * request meets a busy loop at most of its dozen calls.
 */
const maxRest = 2
/** Who has waited or worked for such a part of its time is no longer paced, to end late rather than not at all. */
const urgentPart = 0.5
/**
 * For so many calls of others' requests lately, eight requests a second, it stays free for as long as it was busy. A rest of
 * fixed length starved floods beside one person's clicks.
 */
const callsOfRest = 50

/** The clock of an event loop, and how long the loop has been free and busy, in ms. */
export interface LoopTime {
  now(): number
  use(): { readonly idle: number; readonly active: number }
}

/** Who takes turns: an invocation, and what it took of the event loop. */
export interface TurnTaker {
  /** The tenant it works for. */
  tenant?: string
  /** The HTTP request that waits for it. */
  readonly httpRequestId?: string
  readonly beganAtMs: number
  readonly timeoutMs: number
  usedMs: number
}

/** The part of its time that has passed, from 0 to 1. */
export const passedPart = ({ beganAtMs, timeoutMs }: TurnTaker, now: number): number => (now - beganAtMs) / timeoutMs

/** A step that waits for its turn. */
export interface Waiting {
  readonly invocation: TurnTaker
  readonly sinceMs: number
  readonly isCall: boolean
  begin(): void
}

export interface Tenant {
  /** The time its steps took, the older the less. */
  usedMs: number
  lastAtMs: number
  calls: number
  /** Those of requests, which people wait for. */
  requestCalls: number
  lastRequestAtMs: number
  /** Calls its requests have made, the older the less. */
  requestCallsLately: number
  /** When it last took a step that had waited. */
  lastTakenAtMs: number
  /** Until then, it used less than half of the loop. */
  lightUntilMs: number
  /** It floods the loop: after each of its steps, the loop stays free for a while. */
  isPaced: boolean
  readonly waiting: Waiting[]
}

export interface Tenants {
  readonly size: number
  [Symbol.iterator](): Iterator<Tenant>
  /** The tenant of this name, for which an invocation begins or ends a step. */
  visit(name: string, invocation: TurnTaker, now: number): Tenant
  isLightest(tenant: Tenant): boolean
  isLighter(tenant: Tenant, than: Tenant): boolean
  /** It used about a third of the loop more than somebody else. */
  isFlood(tenant: Tenant): boolean
  /** A tenant that is much lighter made a request, whose next step will come soon. */
  isLighterTenantActive(tenant: Tenant, now: number): boolean
  /**
   * A paced tenant leaves the loop free after each step, the longer the more requests others make, unless an invocation
   * of its own would run out of time.
   */
  isResting(tenant: Tenant, now: number): boolean
  /** A step of it begins that had waited. */
  took(tenant: Tenant, now: number): void
}

const weightOf = ({ usedMs, isPaced }: Tenant): number => (isPaced ? usedMs + pacedMs : usedMs)

/** What a tenant that always takes this share of the loop has used lately. */
const usedAt = (share: number): number => (share * halfLifeMs) / Math.LN2

/** The loop of this process. */
export const ownLoop: LoopTime = { now: () => performance.now(), use: () => performance.eventLoopUtilization() }

/** Keeps what each tenant has used of the event loop lately, and tells who comes before whom. */
export function createTenants(loop: LoopTime): Tenants {
  const tenants = new Map<string, Tenant>()
  let sweptAtMs = loop.now()
  /** When a paced tenant took its last step. */
  let useAtPacedStep = loop.use()

  /** Ages what was used, and forgets who is idle. */
  function sweep(now: number): void {
    const passedMs = now - sweptAtMs
    if (passedMs < activeMs / 10) return
    sweptAtMs = now
    const aged = 0.5 ** (passedMs / halfLifeMs)
    for (const [name, tenant] of tenants) {
      if (tenant.usedMs < usedAt(0.5)) tenant.lightUntilMs = now
      tenant.isPaced = tenant.isPaced ? tenant.usedMs > usedAt(0.05) : now - tenant.lightUntilMs >= heavyMs
      tenant.usedMs *= aged
      tenant.requestCallsLately *= aged
      if (tenant.calls === 0 && tenant.waiting.length === 0 && now - tenant.lastAtMs > activeMs) tenants.delete(name)
    }
  }

  const isMuchLighter = (tenant: Tenant, than: Tenant): boolean => weightOf(tenant) + floodMs < weightOf(than)
  const isLighter = (tenant: Tenant, than: Tenant): boolean => weightOf(tenant) < weightOf(than)

  return {
    get size() {
      return tenants.size
    },
    [Symbol.iterator]: () => tenants.values(),
    visit(name, { httpRequestId }, now) {
      sweep(now)
      let tenant = tenants.get(name)
      if (!tenant) tenants.set(name, (tenant = newTenant(now)))
      tenant.lastAtMs = now
      if (httpRequestId !== undefined) tenant.lastRequestAtMs = now
      return tenant
    },
    isLightest: (tenant) => !tenants.values().some((other) => isLighter(other, tenant)),
    isLighter,
    isFlood: (tenant) => tenants.values().some((other) => isMuchLighter(other, tenant)),
    isLighterTenantActive: (tenant, now) =>
      tenants
        .values()
        .some(
          (other) =>
            isMuchLighter(other, tenant) &&
            now - other.lastRequestAtMs < (other.requestCalls > 0 ? usualCallMs : quietMs),
        ),
    isResting({ isPaced, lastTakenAtMs, waiting }, now) {
      if (!isPaced || now - lastTakenAtMs >= maxHoldMs) return false
      if (waiting.some(({ invocation }) => passedPart(invocation, now) >= urgentPart)) return false
      let othersCalls = 0
      for (const other of tenants.values()) if (!other.isPaced) othersCalls += other.requestCallsLately
      const rest = Math.min(othersCalls / callsOfRest, maxRest)
      const { idle, active } = loop.use()
      return idle - useAtPacedStep.idle < rest * (active - useAtPacedStep.active)
    },
    took(tenant, now) {
      tenant.lastTakenAtMs = now
      if (tenant.isPaced) useAtPacedStep = loop.use()
    },
  }
}

const newTenant = (now: number): Tenant => ({
  usedMs: 0,
  lastAtMs: now,
  calls: 0,
  requestCalls: 0,
  lastRequestAtMs: Number.NEGATIVE_INFINITY,
  requestCallsLately: 0,
  lastTakenAtMs: now,
  lightUntilMs: now,
  isPaced: false,
  waiting: [],
})
