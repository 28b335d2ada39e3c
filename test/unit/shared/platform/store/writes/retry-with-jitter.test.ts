import { describe, expect, it } from 'vitest'
import { Conflict } from '../../../../../../shared/kernel/failures/faults.ts'
import { maxConflictMs } from '../../../../../../shared/kernel/limits/requests.ts'
import { Throttled } from '../../../../../../shared/kernel/throttling/throttled.ts'
import { inTimeLimit } from '../../../../../../shared/kernel/throttling/time-limit.ts'
import { retryWithJitter } from '../../../../../../shared/platform/store/writes/retry-with-jitter.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'

/** A clock that draws the longest pauses, and tells which were taken. */
function patientClock() {
  const pauses: number[] = []
  const inner = frozenClock()
  const sleep = async (ms: number): Promise<void> => {
    pauses.push(ms)
    inner.advance(ms)
  }
  return { clock: { ...inner, random: () => 1, sleep }, pauses }
}

/** Fails with `cause` for ever, and tells when and with what the caller had to give up. */
async function giveUp(cause: Error, forMs?: number) {
  const { clock, pauses } = patientClock()
  const startedAt = clock.now()
  const error: unknown = await retryWithJitter(clock, async (again) => again(cause), forMs).catch((one: unknown) => one)
  return { error, pauses, tookMs: clock.now() - startedAt }
}

describe('a write that others disturb', () => {
  it('is repeated until it succeeds, with pauses that grow up to a fifth of a second', async () => {
    const { clock, pauses } = patientClock()
    let tries = 0
    const answer = await retryWithJitter(clock, async (again) => {
      tries += 1
      return tries < 9 ? again(new Error('changed meanwhile')) : 'written'
    })
    expect([answer, tries]).toEqual(['written', 9])
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 200, 200])
  })

  it('pauses for a random part of that, so that those who collided do not collide again', async () => {
    const { clock, pauses } = patientClock()
    let tries = 0
    await retryWithJitter({ ...clock, random: () => 0.25 }, async (again) => {
      tries += 1
      if (tries < 4) again(new Error('changed meanwhile'))
    })
    expect(pauses).toEqual([1.25, 2.5, 5])
  })

  it('ends in a Conflict with its cause when no time is left for another pause', async () => {
    const cause = new Error('changed meanwhile')
    const { error, tookMs } = await giveUp(cause)
    expect(error).toBeInstanceOf(Conflict)
    expect(error).toMatchObject({ code: 'write_conflict', cause })
    expect(tookMs).toBeLessThanOrEqual(maxConflictMs)
    expect(tookMs).toBeGreaterThan(maxConflictMs - 200)
  })

  it('uses the last pause that fits exactly', async () => {
    expect((await giveUp(new Error('changed meanwhile'), 5 + 10 + 20)).pauses).toEqual([5, 10, 20])
    expect((await giveUp(new Error('changed meanwhile'), 5 + 10 + 19)).pauses).toEqual([5, 10])
  })

  it('is not repeated after any other error', async () => {
    const { clock, pauses } = patientClock()
    const failure = new Error('refused')
    const attempt = (): Promise<never> => Promise.reject(failure)
    await expect(retryWithJitter(clock, attempt)).rejects.toBe(failure)
    expect(pauses).toEqual([])
  })
})

describe('a write that the database throttles', () => {
  it('is repeated with longer pauses, for as long as a throttled call may take, and is no conflict', async () => {
    const throttled = new Throttled()
    const { error, pauses, tookMs } = await giveUp(throttled)
    expect(error).toBe(throttled)
    expect(pauses.slice(0, 7)).toEqual([25, 50, 100, 200, 400, 800, 1000])
    expect(tookMs).toBeGreaterThan(4000)
    expect(tookMs).toBeLessThanOrEqual(5000)
  })

  it('is given up when the invocation is about to end', async () => {
    const throttled = new Throttled()
    const { error, tookMs } = await inTimeLimit(
      () => 1400,
      () => giveUp(throttled),
    )
    expect(error).toBe(throttled)
    expect(tookMs).toBeLessThanOrEqual(400)
  })
})
