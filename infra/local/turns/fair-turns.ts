/** A tenant counts as active for so long after its last step. */
const activeMs = 1_000
/** What was used counts half after so long. */
const halfLifeMs = 500
/** So long after the last step of a lighter tenant's requests, which have no call under way, others go on. */
const quietMs = 3
/** One step of those who wait is taken at least this often, whatever requests lighter tenants make. */
const maxHoldMs = 50
/** Only who has used so much more than a lighter tenant is held for it: about a third of the loop. */
const floodMs = 200
/** A call that takes longer than this waits for a disk or a queue: nobody is held for it. */
const usualCallMs = 20
/** Calls at once of a flood: their answers are worked on in one go. */
const callsAtOnce = 2
/** What earlier steps of an invocation count for at most, so that long work waits, but not for long. */
const maxCountedMs = 100

/** Who takes turns: an invocation, and what it took of the event loop. */
export interface TurnTaker {
  /** The tenant it works for. */
  tenant?: string
  /** The HTTP request that waits for it. */
  readonly httpRequestId?: string
  usedMs: number
}

export interface FairTurns {
  /** Makes a call of an invocation when it is its turn, and answers when it is its turn again. */
  call<T>(invocation: TurnTaker, make: () => Promise<T>): Promise<T>
  /** Lets others go on in the middle of a long computation. */
  giveWay(invocation: TurnTaker): Promise<void>
}

/** A step that waits for its turn. */
interface Waiting {
  readonly invocation: TurnTaker
  readonly sinceMs: number
  readonly isCall: boolean
  begin(): void
}

interface Tenant {
  /** The time its steps took, the older the less. */
  usedMs: number
  lastAtMs: number
  calls: number
  /** Those of requests, which people wait for. */
  requestCalls: number
  lastRequestAtMs: number
  readonly waiting: Waiting[]
}

const newTenant = (): Tenant => ({
  usedMs: 0,
  lastAtMs: 0,
  calls: 0,
  requestCalls: 0,
  lastRequestAtMs: Number.NEGATIVE_INFINITY,
  waiting: [],
})

/**
 * Lets tenants share the event loop, which runs all functions here: on AWS, each instance serves one request. A step is
 * what an invocation computes between two calls. The tenant that has used the least goes on at once; the others one step
 * per turn of the loop, and a flood only when no request of a lighter one is about to go on. So a request waits for one
 * step of somebody else's flood, not for all of it, and a flood gets what nobody else needs. Of one tenant's invocations, the shortest so far
 * come first. A tenant that is alone is never held back.
 */
export function createFairTurns(nowMs: () => number = () => performance.now()): FairTurns {
  const tenants = new Map<string, Tenant>()
  /** Whose step began last, and when. */
  let step: { readonly tenant: Tenant; readonly invocation: TurnTaker; readonly sinceMs: number } | undefined
  let isEnding = false
  let taking: NodeJS.Immediate | NodeJS.Timeout | undefined
  let sweptAtMs = nowMs()
  let tookAtMs = sweptAtMs

  function visit(name: string, { httpRequestId }: TurnTaker, now: number): Tenant {
    sweep(now)
    let tenant = tenants.get(name)
    if (!tenant) tenants.set(name, (tenant = newTenant()))
    tenant.lastAtMs = now
    if (httpRequestId !== undefined) tenant.lastRequestAtMs = now
    return tenant
  }

  /** Ages what was used, and forgets who is idle. */
  function sweep(now: number): void {
    const passedMs = now - sweptAtMs
    if (passedMs < activeMs / 10) return
    sweptAtMs = now
    const aged = 0.5 ** (passedMs / halfLifeMs)
    for (const [name, tenant] of tenants) {
      tenant.usedMs *= aged
      if (tenant.calls === 0 && tenant.waiting.length === 0 && now - tenant.lastAtMs > activeMs) tenants.delete(name)
    }
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
      endStep(nowMs())
    })
  }

  function isLightest(tenant: Tenant): boolean {
    for (const other of tenants.values()) if (other.usedMs < tenant.usedMs) return false
    return true
  }

  const isFlood = ({ usedMs }: Tenant): boolean => {
    for (const other of tenants.values()) if (other.usedMs + floodMs < usedMs) return true
    return false
  }

  const mayBegin = (tenant: Tenant, { isCall }: Waiting): boolean =>
    !isCall || tenant.calls < callsAtOnce || !isFlood(tenant)

  /** Undefined: at once. */
  function turn(
    tenant: Tenant,
    invocation: TurnTaker,
    now: number,
    { isCall }: { readonly isCall: boolean },
  ): Promise<void> | undefined {
    if (tenants.size === 1) return undefined
    if (tenant.waiting.length > 0 || !isLightest(tenant)) return waitIn(tenant, invocation, now, isCall)
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
    taking ??= setImmediate(takeNext)
  }

  /** Begins a step of the lightest tenant of those who wait, unless a lighter one is about to go on. */
  function takeNext(): void {
    taking = undefined
    const now = nowMs()
    endStep(now)
    let next: Tenant | undefined
    for (const tenant of tenants.values())
      if ((!next || tenant.usedMs < next.usedMs) && tenant.waiting.some((one) => mayBegin(tenant, one))) next = tenant
    if (!next) return
    if (now - tookAtMs < maxHoldMs && isLighterAboutToGoOn(next.usedMs, now)) {
      taking = setTimeout(takeNext, 1)
      return
    }
    tookAtMs = now
    const one = takeFirst(next, now)
    beginStep(next, one.invocation, now)
    one.begin()
    takeSoon()
  }

  function isLighterAboutToGoOn(usedMs: number, now: number): boolean {
    for (const other of tenants.values()) {
      const heldMs = other.requestCalls > 0 ? usualCallMs : quietMs
      if (other.usedMs + floodMs < usedMs && now - other.lastRequestAtMs < heldMs) return true
    }
    return false
  }

  function takeFirst(tenant: Tenant, now: number): Waiting {
    const { waiting } = tenant
    let first = -1
    let least = Infinity
    for (const [index, one] of waiting.entries()) {
      if (!mayBegin(tenant, one)) continue
      const rank = Math.min(one.invocation.usedMs, maxCountedMs) - (now - one.sinceMs)
      if (rank >= least) continue
      least = rank
      first = index
    }
    return waiting.splice(first, 1)[0] as Waiting
  }

  return {
    async call(invocation, make) {
      const { tenant: name } = invocation
      if (name === undefined) return make()
      const isRequest = Number(invocation.httpRequestId !== undefined)
      const now = nowMs()
      const tenant = visit(name, invocation, now)
      await turn(tenant, invocation, now, { isCall: true })
      tenant.calls += 1
      tenant.requestCalls += isRequest
      try {
        return await make()
      } finally {
        tenant.calls -= 1
        tenant.requestCalls -= isRequest
        if (tenant.waiting.length > 0) takeSoon()
        const answeredAt = nowMs()
        await turn(visit(name, invocation, answeredAt), invocation, answeredAt, { isCall: false })
      }
    },
    async giveWay(invocation) {
      if (invocation.tenant === undefined) return new Promise((resolve) => void setImmediate(resolve))
      const now = nowMs()
      return waitIn(visit(invocation.tenant, invocation, now), invocation, now, false)
    },
  }
}
