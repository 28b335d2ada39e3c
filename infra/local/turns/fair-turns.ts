/** A tenant counts as active for so long after its last step. */
const activeMs = 1_000
/** What was used counts half after so long. */
const halfLifeMs = 500
/** So long after the last step of a lighter tenant, others go on: it waits for something, or is done. */
const quietMs = 3
/** One step of those who wait is taken at least this often, whatever lighter tenants do. */
const maxHoldMs = 25
/** Calls at once of a tenant that waits for its turns: their answers are worked on in one go. */
const callsAtOnce = 2

export interface FairTurns {
  /** Makes a call for a tenant when it is its turn, and answers when it is its turn again. */
  call<T>(tenant: string, make: () => Promise<T>): Promise<T>
  /** Lets others go on in the middle of a long computation. */
  giveWay(tenant: string): Promise<void>
}

interface Tenant {
  /** The time its steps took, the older the less. */
  usedMs: number
  lastAtMs: number
  calls: number
  /** What goes on with an answer. */
  readonly answered: (() => void)[]
  /** What makes a call. */
  readonly asking: (() => void)[]
}

/**
 * Lets tenants share the event loop, which runs all functions here: on AWS, each instance serves one request. A step is
 * what an invocation computes between two calls. The tenant that has used the least goes on at once; the others one step
 * per turn of the loop, and only when the lighter ones are quiet. So a request waits for one step of somebody else's
 * flood, not for all of it, and a flood gets what nobody else needs. A tenant that is alone is never held back.
 */
export function createFairTurns(nowMs: () => number = () => performance.now()): FairTurns {
  const tenants = new Map<string, Tenant>()
  /** Whose step began last, and when. */
  let step: { readonly tenant: Tenant; sinceMs: number } | undefined
  let isClosing = false
  let draining: NodeJS.Immediate | NodeJS.Timeout | undefined
  let sweptAtMs = nowMs()
  let tookAtMs = sweptAtMs

  function visit(name: string, now: number): Tenant {
    sweep(now)
    let tenant = tenants.get(name)
    if (!tenant) tenants.set(name, (tenant = { usedMs: 0, lastAtMs: now, calls: 0, answered: [], asking: [] }))
    tenant.lastAtMs = now
    return tenant
  }

  /** Ages what was used, and forgets who is idle. */
  function sweep(now: number): void {
    const passedMs = now - sweptAtMs
    if (passedMs < 100) return
    sweptAtMs = now
    const aged = 0.5 ** (passedMs / halfLifeMs)
    for (const [name, tenant] of tenants) {
      tenant.usedMs *= aged
      if (tenant.calls === 0 && !waits(tenant) && now - tenant.lastAtMs > activeMs) tenants.delete(name)
    }
  }

  const waits = ({ answered, asking }: Tenant): boolean => answered.length > 0 || asking.length > 0
  const mayGoOn = ({ answered, asking, calls }: Tenant): boolean =>
    answered.length > 0 || (asking.length > 0 && (calls < callsAtOnce || tenants.size === 1))

  function endStep(now: number): void {
    if (!step) return
    step.tenant.usedMs += now - step.sinceMs
    step = undefined
  }

  function beginStep(tenant: Tenant, now: number): void {
    endStep(now)
    step = { tenant, sinceMs: now }
    if (isClosing) return
    isClosing = true
    setImmediate(() => {
      isClosing = false
      endStep(nowMs())
    })
  }

  function isLightest(tenant: Tenant): boolean {
    for (const other of tenants.values()) if (other.usedMs < tenant.usedMs) return false
    return true
  }

  function turn(tenant: Tenant, now: number, queue: (() => void)[]): Promise<void> | undefined {
    if (tenants.size === 1 && !waits(tenant)) return undefined
    if (!waits(tenant) && isLightest(tenant)) {
      beginStep(tenant, now)
      return undefined
    }
    return new Promise((resolve) => {
      queue.push(resolve)
      drainSoon()
    })
  }

  function drainSoon(): void {
    draining ??= setImmediate(drain)
  }

  /** Lets the lightest tenant of those who wait take its next step, unless a lighter one is about to go on. */
  function drain(): void {
    draining = undefined
    const now = nowMs()
    endStep(now)
    let next: Tenant | undefined
    for (const tenant of tenants.values()) if (mayGoOn(tenant) && (!next || tenant.usedMs < next.usedMs)) next = tenant
    if (!next) return
    const { usedMs } = next
    const isHeld = [...tenants.values()].some((other) => other.usedMs < usedMs && now - other.lastAtMs < quietMs)
    if (isHeld && now - tookAtMs < maxHoldMs) {
      draining = setTimeout(drain, 1)
      return
    }
    tookAtMs = now
    beginStep(next, now)
    const goOn = next.answered.shift() ?? next.asking.shift()
    goOn?.()
    drainSoon()
  }

  return {
    async call(name, make) {
      const now = nowMs()
      const tenant = visit(name, now)
      await turn(tenant, now, tenant.asking)
      tenant.calls += 1
      try {
        return await make()
      } finally {
        tenant.calls -= 1
        const endedAt = nowMs()
        await turn(visit(name, endedAt), endedAt, tenant.answered)
      }
    },
    async giveWay(name) {
      const now = nowMs()
      const tenant = visit(name, now)
      if (tenants.size === 1 && !waits(tenant)) return
      await new Promise<void>((resolve) => {
        tenant.answered.push(resolve)
        drainSoon()
      })
    },
  }
}
