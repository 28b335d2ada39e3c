import { describe, expect, it } from 'vitest'
import { createFairTurns } from '../../../../../infra/local/turns/fair-turns.ts'
import type { TurnTaker } from '../../../../../infra/local/turns/tenants.ts'

/** A process whose clock moves by what its steps take, and a little with every turn of the loop. */
function openProcess() {
  let ms = 0
  let freeMs = 0
  const turns = createFairTurns({ now: () => ms, use: () => ({ idle: freeMs, active: ms - freeMs }) })
  const steps: string[] = []
  let isOver = false
  const beat = (): void => {
    ms += 0.1
    freeMs += 0.1
    if (!isOver) setImmediate(beat)
  }
  setImmediate(beat)

  const invocation = (tenant?: string): TurnTaker => ({ tenant, usedMs: 0, beganAtMs: 0, timeoutMs: Infinity })
  /** Makes calls one after the other; each answer takes a step. */
  async function run(tenant: string | undefined, { calls, stepMs }: { calls: number; stepMs: number }): Promise<void> {
    const taker = invocation(tenant)
    for (let call = 0; call < calls; call += 1) {
      await turns.call(taker, () => new Promise<void>((answer) => void setImmediate(answer)))
      steps.push(tenant ?? 'nobody')
      ms += stepMs
    }
  }
  return {
    turns,
    steps,
    invocation,
    run,
    flood: (tenant: string, invocations: number, stepMs: number, calls = 5) =>
      Promise.all(Array.from({ length: invocations }, () => run(tenant, { calls, stepMs }))),
    end: () => void (isOver = true),
  }
}

describe('turns of tenants', () => {
  it('hold back nobody who is alone', async () => {
    const { turns, invocation, end } = openProcess()
    let running = 0
    const calls = Array.from({ length: 20 }, () =>
      turns.call(invocation('a'), async () => {
        running += 1
        await new Promise<void>((resolve) => void setImmediate(resolve))
      }),
    )
    await Promise.resolve()
    expect(running).toBe(20)
    await Promise.all(calls)
    end()
  })

  it.each(['a', undefined])('let the loop turn though calls are answered at once (%s)', async (tenant) => {
    const turns = createFairTurns({ now: () => performance.now(), use: () => ({ idle: 0, active: 1 }) })
    const taker: TurnTaker = { tenant, usedMs: 0, beganAtMs: 0, timeoutMs: Infinity }
    let isOver = false
    let heard = 0
    const hear = (): void => {
      heard += 1
      if (!isOver) setTimeout(hear)
    }
    setTimeout(hear)
    const work = async (): Promise<void> => {
      for (let call = 0; call < 20; call += 1) {
        await turns.call(taker, async () => {})
        for (const since = performance.now(); performance.now() - since < 1;);
      }
    }
    await Promise.all(Array.from({ length: 10 }, work))
    isOver = true
    // 200 ms of work, in which something came in every few milliseconds.
    expect(heard).toBeGreaterThan(8)
  })

  it('let a short request pass the flood of another tenant', async () => {
    const { run, flood, steps, end } = openProcess()
    await run('quiet', { calls: 1, stepMs: 1 })
    const flooded = flood('loud', 20, 5)
    await run('loud', { calls: 1, stepMs: 5 })
    const before = steps.length
    await run('quiet', { calls: 4, stepMs: 1 })
    const between = steps.slice(before).filter((tenant) => tenant === 'loud').length
    expect(between).toBeLessThanOrEqual(4)
    await flooded
    expect(steps.filter((tenant) => tenant === 'loud')).toHaveLength(101)
    end()
  })

  it('let a tenant that has used more go on when the others are quiet', async () => {
    const { run, flood, steps, end } = openProcess()
    await run('quiet', { calls: 1, stepMs: 1 })
    await flood('loud', 3, 5)
    expect(steps).toHaveLength(16)
    end()
  })

  it('share the time of two floods', async () => {
    const { flood, steps, end } = openProcess()
    await Promise.all([flood('heavy', 10, 6), flood('light', 30, 2)])
    const firstHalf = steps.slice(0, 100)
    // The same time each: three steps of 2 ms for one of 6 ms.
    const heavy = firstHalf.filter((tenant) => tenant === 'heavy').length
    expect(heavy).toBeGreaterThanOrEqual(15)
    expect(heavy).toBeLessThanOrEqual(35)
    end()
  })

  it('keep a steady light tenant from stopping a heavy one', async () => {
    const { run, flood, steps, end } = openProcess()
    const steady = run('steady', { calls: 4_000, stepMs: 0.01 })
    await flood('loud', 2, 50)
    expect(steps.filter((tenant) => tenant === 'loud')).toHaveLength(10)
    expect(steps.filter((tenant) => tenant === 'steady').length).toBeLessThan(4_000)
    await steady
    end()
  })

  describe('with a request of a light tenant that waits for a slow call', () => {
    /** The clock stands still unless it is moved. `used`: what the other tenant has used. */
    async function besideSlowCall(used: number) {
      let ms = 0
      const turns = createFairTurns({ now: () => ms, use: () => ({ idle: 0, active: ms }) })
      const request: TurnTaker = { tenant: 'light', httpRequestId: 'r-1', usedMs: 0, beganAtMs: 0, timeoutMs: Infinity }
      const other: TurnTaker = { tenant: 'other', usedMs: 0, beganAtMs: 0, timeoutMs: Infinity }
      const turnOfLoop = () => new Promise<void>((resolve) => void setImmediate(resolve))
      await turns.call(request, turnOfLoop)
      await turns.call(other, turnOfLoop)
      ms += used
      await turnOfLoop()
      const answers: (() => void)[] = []
      const suppressedRecipient = () => new Promise<void>((resolve) => void answers.push(resolve))
      const slow = [turns.call(request, suppressedRecipient), turns.call(other, suppressedRecipient)]
      while (answers.length < 2) await turnOfLoop()
      let began = false
      const call = turns.call(other, async () => void (began = true))
      return {
        /** Whether the other's call begins within some turns of the loop, as many milliseconds later. */
        async beginsAfter(milliseconds: number): Promise<boolean> {
          ms += milliseconds
          const until = performance.now() + 30
          for (let n = 0; !began && (n < 100 || performance.now() < until); n += 1) await turnOfLoop()
          return began
        },
        async end() {
          const clock = setInterval(() => (ms += 100), 1)
          for (const answer of answers) answer()
          await Promise.all([...slow, call])
          clearInterval(clock)
        },
      }
    }

    it('hold nobody who has used only a little more', async () => {
      const { beginsAfter, end } = await besideSlowCall(100)
      expect(await beginsAfter(0)).toBe(true)
      await end()
    })

    it('hold a flood for as long as a call usually takes', async () => {
      const { beginsAfter, end } = await besideSlowCall(400)
      expect(await beginsAfter(5)).toBe(false)
      expect(await beginsAfter(20)).toBe(true)
      await end()
    })
  })

  it('let the short invocations of a tenant pass its long ones', async () => {
    const { run, flood, steps, turns, invocation, end } = openProcess()
    await run('quiet', { calls: 1, stepMs: 1 })
    await run('loud', { calls: 1, stepMs: 5 })
    const long = { ...invocation('loud'), usedMs: 1_000 }
    const order: string[] = []
    const flooded = flood('loud', 4, 5)
    const both = [
      turns.call(long, async () => void order.push('long')),
      turns.call(invocation('loud'), async () => void order.push('short')),
    ]
    await Promise.all([...both, flooded])
    expect(order).toEqual(['short', 'long'])
    expect(steps).toHaveLength(22)
    end()
  })

  it('go on after a call that failed, and leave alone who works for no tenant', async () => {
    const { run, turns, invocation, steps, end } = openProcess()
    await run('quiet', { calls: 1, stepMs: 1 })
    await expect(turns.call(invocation('loud'), () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    await run('loud', { calls: 2, stepMs: 5 })
    await run(undefined, { calls: 1, stepMs: 5 })
    expect(steps).toEqual(['quiet', 'loud', 'loud', 'nobody'])
    end()
  })

  it('let a flood go on whose invocations crashed in the middle of calls', async () => {
    const { run, turns, invocation, steps, end } = openProcess()
    await run('loud', { calls: 1, stepMs: 400 })
    await run('quiet', { calls: 1, stepMs: 1 })
    const crashed = [invocation('loud'), invocation('loud')]
    let answered = 0
    for (const one of crashed) void turns.call(one, () => new Promise<void>(() => void (answered += 1)))
    while (answered < 2) await new Promise<void>((resolve) => void setImmediate(resolve))
    const waiting = run('loud', { calls: 1, stepMs: 1 })
    for (const one of crashed) turns.leave(one)
    for (const one of crashed) turns.leave(one)
    await waiting
    expect(steps).toEqual(['loud', 'quiet', 'loud'])
    end()
  })

  it('let computations give way one at a time', async () => {
    const { turns, invocation, end } = openProcess()
    let goneOn = 0
    const computations = Array.from({ length: 5 }, () =>
      turns.giveWay(invocation('a')).then(() => {
        goneOn += 1
      }),
    )
    const seen: number[] = []
    while (goneOn < 5) {
      await new Promise<void>((resolve) => void setImmediate(resolve))
      seen.push(goneOn)
    }
    expect(Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)))).toBe(1)
    await Promise.all(computations)
    end()
  })
})
