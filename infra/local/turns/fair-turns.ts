import {
  createTenants,
  maxHoldMs,
  ownLoop,
  passedPart,
  type LoopTime,
  type Tenant,
  type TurnTaker,
  type Waiting,
} from './tenants.ts'

/**
 * Calls at once of a flood. Answers that arrive together are worked on in one go, in which nobody else gets a turn; with one
 * call at a time, a flood would wait for each while the loop is idle.
 */
const callsAtOnce = 2
/**
 * Of a tenant's invocations, who has used such a part of its time goes first: an export would otherwise run out of time
 * behind the short requests of its own tenant.
 */
const hurryingPart = 0.25
/** In memory, calls are answered before the loop turns. Whoever has held it for so long lets it turn, to hear what came in. */
const maxTurnMs = 10
/** What earlier steps of an invocation count for at most: long work lets short requests pass, for a tenth of a second. */
const maxCountedMs = 100

export interface FairTurns {
  /** Makes a call of an invocation when it is its turn, and answers when it is its turn again. */
  call<T>(invocation: TurnTaker, make: () => Promise<T>): Promise<T>
  /** Lets others go on in the middle of a long computation. */
  giveWay(invocation: TurnTaker): Promise<void>
  /** Ends the calls of an invocation that was ended from outside: one that crashed never gets their answers. */
  leave(invocation: TurnTaker): void
}

/**
 * Lets tenants share the event loop, which runs all functions here: on AWS, each instance serves one request. A step is
 * what an invocation computes between two calls. The tenant that has used the least continues at once; the others one step
 * per turn of the loop, and a flood only when no request of a lighter one is about to go on. So a request waits for one
 * step of somebody else's flood, not for all of it. A flood that lasts is paced: in a loop that is always busy, each of
 * the dozen calls of a request would wait for somebody. Of one tenant's invocations, the shortest so far come first. A
 * tenant that is alone is never held back, but lets the loop turn.
 */
export function createFairTurns(loop: LoopTime = ownLoop): FairTurns {
  const tenants = createTenants(loop)
  /** Whose step began last, and when. */
  let step: { readonly tenant: Tenant; readonly invocation: TurnTaker; readonly sinceMs: number } | undefined
  let isEnding = false
  let soon: NodeJS.Immediate | undefined
  let later: NodeJS.Timeout | undefined
  let tookAtMs = loop.now()
  /** Since when calls were made without a turn of the loop. */
  let turnSinceMs: number | undefined
  /** Of invocations with calls in flight: what ends each of these calls. */
  const inFlight = new WeakMap<TurnTaker, Set<() => void>>()

  function beginCall(tenant: Tenant, invocation: TurnTaker): () => void {
    const isRequest = Number(invocation.httpRequestId !== undefined)
    tenant.calls += 1
    tenant.requestCalls += isRequest
    tenant.requestCallsLately += isRequest
    const calls = inFlight.get(invocation) ?? new Set()
    inFlight.set(invocation, calls)
    const endCall = (): void => {
      if (!calls.delete(endCall)) return
      tenant.calls -= 1
      tenant.requestCalls -= isRequest
      if (tenant.waiting.length > 0) takeSoon()
    }
    calls.add(endCall)
    return endCall
  }

  function endStep(now: number): void {
    if (!step) return
    step.tenant.usedMs += now - step.sinceMs
    step.invocation.usedMs += now - step.sinceMs
    step = undefined
  }

  function beginStep(tenant: Tenant, invocation: TurnTaker, now: number): void {
    endStep(now)
    step = { tenant, invocation, sinceMs: now }
    if (isEnding) return
    isEnding = true
    setImmediate(() => {
      isEnding = false
      endStep(loop.now())
    })
  }

  const mayBegin = (tenant: Tenant, { isCall }: Waiting): boolean =>
    !isCall || tenant.calls < callsAtOnce || !tenants.isFlood(tenant)

  function hasHeldLoop(now: number): boolean {
    if (turnSinceMs !== undefined) return now - turnSinceMs >= maxTurnMs
    turnSinceMs = now
    setImmediate(() => void (turnSinceMs = undefined))
    return false
  }

  /** Undefined: at once. */
  function turn(
    tenant: Tenant,
    invocation: TurnTaker,
    now: number,
    { isCall }: { readonly isCall: boolean },
  ): Promise<void> | undefined {
    const isFirst = tenants.size === 1 || (tenant.waiting.length === 0 && tenants.isLightest(tenant))
    if (!isFirst || hasHeldLoop(now)) return waitIn(tenant, invocation, now, isCall)
    beginStep(tenant, invocation, now)
    return undefined
  }

  function waitIn({ waiting }: Tenant, invocation: TurnTaker, sinceMs: number, isCall: boolean): Promise<void> {
    return new Promise((begin) => {
      waiting.push({ invocation, sinceMs, isCall, begin })
      takeSoon()
    })
  }

  function takeSoon(): void {
    soon ??= setImmediate(takeNext)
  }

  /** Begins a step of the lightest tenant of those who wait and do not rest, unless a lighter one is about to go on. */
  function takeNext(): void {
    clearImmediate(soon)
    clearTimeout(later)
    soon = undefined
    const now = loop.now()
    endStep(now)
    let next: Tenant | undefined
    let hasResting = false
    for (const tenant of tenants) {
      if (!tenant.waiting.some((one) => mayBegin(tenant, one))) continue
      if (tenants.isResting(tenant, now)) hasResting = true
      else if (!next || tenants.isLighter(tenant, next)) next = tenant
    }
    if (next && (now - tookAtMs >= maxHoldMs || !tenants.isLighterTenantActive(next, now))) take(next, now)
    else if (next || hasResting) later = setTimeout(takeNext, 1)
  }

  function take(tenant: Tenant, now: number): void {
    tookAtMs = now
    tenants.took(tenant, now)
    const one = takeFirst(tenant, now)
    beginStep(tenant, one.invocation, now)
    one.begin()
    takeSoon()
  }

  function takeFirst(tenant: Tenant, now: number): Waiting {
    const { waiting } = tenant
    let first = -1
    let least = Infinity
    for (const [index, one] of waiting.entries()) {
      if (!mayBegin(tenant, one)) continue
      const countedMs =
        passedPart(one.invocation, now) >= hurryingPart ? -Infinity : Math.min(one.invocation.usedMs, maxCountedMs)
      const rank = countedMs - (now - one.sinceMs)
      if (rank >= least) continue
      least = rank
      first = index
    }
    return waiting.splice(first, 1)[0] as Waiting
  }

  return {
    async call(invocation, make) {
      const { tenant: name } = invocation
      const now = loop.now()
      if (name === undefined) {
        if (hasHeldLoop(now)) await new Promise((resolve) => void setImmediate(resolve))
        return make()
      }
      const tenant = tenants.visit(name, invocation, now)
      await turn(tenant, invocation, now, { isCall: true })
      const endCall = beginCall(tenant, invocation)
      try {
        return await make()
      } finally {
        endCall()
        const answeredAt = loop.now()
        await turn(tenants.visit(name, invocation, answeredAt), invocation, answeredAt, { isCall: false })
      }
    },
    async giveWay(invocation) {
      if (invocation.tenant === undefined) return new Promise((resolve) => void setImmediate(resolve))
      const now = loop.now()
      return waitIn(tenants.visit(invocation.tenant, invocation, now), invocation, now, false)
    },
    leave(invocation) {
      for (const endCall of inFlight.get(invocation) ?? []) endCall()
    },
  }
}
