import { describe, expect, it } from 'vitest'
import { createFairTurns } from '../../../../../infra/local/turns/fair-turns.ts'
import { createTenants, type LoopTime, type TurnTaker } from '../../../../../infra/local/turns/tenants.ts'

/** An event loop whose time passes only when it is told to. */
function openLoop() {
  let idle = 0
  let active = 0
  const time: LoopTime = { now: () => idle + active, use: () => ({ idle, active }) }
  return {
    time,
    now: time.now,
    rest: (ms: number) => void (idle += ms),
    work: (ms: number) => void (active += ms),
  }
}

const work: TurnTaker = { tenant: 'loud', usedMs: 0, beganAtMs: 0, timeoutMs: Infinity }
const request: TurnTaker = { tenant: 'quiet', httpRequestId: 'r-1', usedMs: 0, beganAtMs: 0, timeoutMs: Infinity }

/** Two tenants of a loop; `loud` has used `share` of it for so long. */
function besideFlood({ share, ms }: { readonly share: number; readonly ms: number }) {
  const loop = openLoop()
  const tenants = createTenants(loop.time)
  const loud = tenants.visit('loud', work, loop.now())
  const use = (part: number, forMs: number): void => {
    for (let passed = 0; passed < forMs; passed += 10) {
      loop.work(10 * part)
      loop.rest(10 - 10 * part)
      loud.usedMs += 10 * part
      tenants.visit('loud', work, loop.now())
    }
  }
  use(share, ms)
  const quiet = tenants.visit('quiet', request, loop.now())
  return { ...loop, tenants, loud, quiet, use }
}

describe('a tenant that uses most of the loop', () => {
  it.each([
    { share: 1, ms: 800, isPaced: false },
    { share: 1, ms: 1_500, isPaced: true },
    { share: 0.7, ms: 2_500, isPaced: true },
    { share: 0.4, ms: 60_000, isPaced: false },
  ])('is paced when it lasts: $share for $ms ms: $isPaced', ({ isPaced, ...flood }) => {
    expect(besideFlood(flood).loud.isPaced).toBe(isPaced)
  })

  it('stays paced while it takes what it gets, and no longer', () => {
    const { loud, use } = besideFlood({ share: 1, ms: 2_000 })
    use(0.2, 10_000)
    expect(loud.isPaced).toBe(true)
    use(0.02, 3_000)
    expect(loud.isPaced).toBe(false)
  })

  it('comes after those who are not paced, whatever it uses at its pace', () => {
    const { tenants, loud, use, now } = besideFlood({ share: 1, ms: 2_000 })
    use(0.1, 5_000)
    const quiet = tenants.visit('quiet', request, now())
    quiet.usedMs = 300
    expect(loud.usedMs).toBeLessThan(300)
    expect([tenants.isLightest(quiet), tenants.isLightest(loud), tenants.isFlood(loud)]).toEqual([true, false, true])
  })

  it.each([
    { calls: 0, restMs: 0 },
    { calls: 10, restMs: 2 },
    { calls: 50, restMs: 10 },
    { calls: 100, restMs: 20 },
    { calls: 5_000, restMs: 20 },
  ])('rests after a step of 10 ms for $restMs ms beside $calls calls of requests', ({ calls, restMs }) => {
    const { tenants, loud, quiet, now, rest, work: busy } = besideFlood({ share: 1, ms: 2_000 })
    quiet.requestCallsLately = calls
    loud.requestCallsLately = 5_000
    tenants.took(loud, now())
    busy(10)
    rest(Math.max(0, restMs - 0.01))
    expect(tenants.isResting(loud, now())).toBe(calls > 0)
    rest(0.02)
    expect(tenants.isResting(loud, now())).toBe(false)
  })

  it('rests for nobody who floods as well, nor for longer than 50 ms', () => {
    const { tenants, loud, quiet, now, work: busy } = besideFlood({ share: 1, ms: 2_000 })
    quiet.requestCallsLately = 500
    tenants.took(loud, now())
    busy(30)
    expect(tenants.isResting(loud, now())).toBe(true)
    quiet.isPaced = true
    expect(tenants.isResting(loud, now())).toBe(false)
    quiet.isPaced = false
    busy(20)
    expect(tenants.isResting(loud, now())).toBe(false)
  })

  it('rests no longer when half of the time has passed of somebody who waits', async () => {
    const { tenants, loud, quiet, now, work: busy } = besideFlood({ share: 1, ms: 2_000 })
    quiet.requestCallsLately = 500
    tenants.took(loud, now())
    busy(10)
    const waiting = { sinceMs: now(), isCall: false, begin: () => {} }
    loud.waiting.push({ ...waiting, invocation: { ...work, beganAtMs: now() - 9, timeoutMs: 20 } })
    expect(tenants.isResting(loud, now())).toBe(true)
    busy(1)
    expect(tenants.isResting(loud, now())).toBe(false)
  })

  it('takes the steps first of who has no time to lose', async () => {
    const { time, work: busy } = openLoop()
    const turns = createFairTurns(time)
    const began: string[] = []
    await turns.call(request, async () => busy(1))
    await turns.call(work, async () => busy(100))
    const turn = (name: string, taker: TurnTaker) => turns.call(taker, async () => void began.push(name))
    await Promise.all([
      turn('short', { ...work }),
      turn('urgent', { ...work, usedMs: 5_000, timeoutMs: 4 * time.now() }),
    ])
    expect(began).toEqual(['urgent', 'short'])
  })

  it('takes its next step only when the loop was free, and a request passes it meanwhile', async () => {
    const { time, rest, work: busy } = openLoop()
    const turns = createFairTurns(time)
    const turnOfLoop = () => new Promise<void>((resolve) => void setImmediate(resolve))
    for (let step = 0; step < 150; step += 1) {
      await turns.call(work, turnOfLoop)
      busy(10)
      await turnOfLoop()
    }
    for (let call = 0; call < 60; call += 1) await turns.call(request, turnOfLoop)
    const began: string[] = []
    const step = (): Promise<void> => turns.call(work, async () => void began.push('work'))
    const first = step()
    await turns.call(request, async () => void began.push('request'))
    rest(30)
    await first
    busy(10)
    const second = step()
    for (let wait = 0; wait < 20; wait += 1) await new Promise((resolve) => void setTimeout(resolve, 1))
    expect(began).toEqual(['request', 'work'])
    rest(30)
    await second
    expect(began).toEqual(['request', 'work', 'work'])
  })
})
