/** A tenant counts as active for so long after its last step. */
const activeMs = 1_000
/** What was used counts half after so long. */
const halfLifeMs = 500
/** So long after the last step of a lighter tenant, others go on: it waits for something, or is done. */
const quietMs = 3
/** One step of those who wait is taken at least this often, whatever lighter tenants do. */
const maxHoldMs = 25

export interface FairTurns {
  /** Says when the next step of a tenant may begin: await what it answers, unless that is undefined. */
  turn(tenant: string): Promise<void> | undefined
}

interface Tenant {
  /** The time its steps took, the older the less. */
  usedMs: number
  lastAtMs: number
  readonly waiting: (() => void)[]
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
  let isDraining = false
  let sweptAtMs = nowMs()
  let tookAtMs = sweptAtMs

  /** Ages what was used, and forgets who is idle. */
  function sweep(now: number): void {
    const passedMs = now - sweptAtMs
    if (passedMs < 100) return
    sweptAtMs = now
    const aged = 0.5 ** (passedMs / halfLifeMs)
    for (const [name, tenant] of tenants) {
      tenant.usedMs *= aged
      if (tenant.waiting.length === 0 && now - tenant.lastAtMs > activeMs) tenants.delete(name)
    }
  }

  function count(now: number): void {
    if (!step) return
    step.tenant.usedMs += now - step.sinceMs
    step = undefined
  }

  function begin(tenant: Tenant, now: number): void {
    count(now)
    step = { tenant, sinceMs: now }
    if (isClosing) return
    isClosing = true
    setImmediate(() => {
      isClosing = false
      count(nowMs())
    })
  }

  function isLightest(tenant: Tenant): boolean {
    for (const other of tenants.values()) if (other.usedMs < tenant.usedMs) return false
    return true
  }

  function takeNext(): void {
    isDraining = false
    const now = nowMs()
    count(now)
    let next: Tenant | undefined
    for (const tenant of tenants.values())
      if (tenant.waiting.length > 0 && (!next || tenant.usedMs < next.usedMs)) next = tenant
    if (!next) return
    if (now - tookAtMs < maxHoldMs)
      for (const other of tenants.values())
        if (other.usedMs < next.usedMs && now - other.lastAtMs < quietMs) return drain(1)
    tookAtMs = now
    begin(next, now)
    next.waiting.shift()?.()
    drain(0)
  }

  function drain(inMs: number): void {
    if (isDraining) return
    isDraining = true
    if (inMs === 0) setImmediate(takeNext)
    else setTimeout(takeNext, inMs)
  }

  return {
    turn(name) {
      const now = nowMs()
      sweep(now)
      let tenant = tenants.get(name)
      if (!tenant) tenants.set(name, (tenant = { usedMs: 0, lastAtMs: now, waiting: [] }))
      tenant.lastAtMs = now
      if (tenants.size === 1) return undefined
      if (tenant.waiting.length === 0 && isLightest(tenant)) {
        begin(tenant, now)
        return undefined
      }
      const { waiting } = tenant
      return new Promise((resolve) => {
        waiting.push(resolve)
        drain(0)
      })
    },
  }
}
