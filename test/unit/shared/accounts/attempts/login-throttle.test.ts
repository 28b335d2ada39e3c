import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allowedFailures,
  judgeAttempt,
  maxPauseMs,
  windowMs,
  type Attempts,
} from '../../../../../shared/accounts/attempts/login-throttle.ts'

const start = Date.parse('2026-11-20T08:00:00Z')

/** Makes failing attempts at the given times; answers which were let through. */
function attemptAll(times: readonly number[]): boolean[] {
  let current: Attempts | undefined
  return times.map((at) => {
    const verdict = judgeAttempt(current, at)
    if (verdict.allowed) current = verdict.next
    return verdict.allowed
  })
}

describe('the login throttle', () => {
  it('lets five attempts through, then pauses', () => {
    expect(attemptAll([0, 1, 2, 3, 4, 5, 6].map((s) => start + s * 1000))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('ends the pause to the millisecond', () => {
    const five = [0, 0, 0, 0, 0].map(() => start)
    expect(attemptAll([...five, start + 29_999]).at(-1)).toBe(false)
    expect(attemptAll([...five, start + 30_000]).at(-1)).toBe(true)
  })

  it('doubles the pause with each further failure', () => {
    const five = [0, 0, 0, 0, 0].map(() => start)
    expect(attemptAll([...five, start + 30_000, start + 30_000 + 59_999]).at(-1)).toBe(false)
    expect(attemptAll([...five, start + 30_000, start + 30_000 + 60_000]).at(-1)).toBe(true)
  })

  it('forgets failures after 15 minutes without an attempt', () => {
    const five = [0, 0, 0, 0, 0].map(() => start)
    const later = start + 30_000 + windowMs
    expect(attemptAll([...five, later, later, later, later, later, later]).slice(5)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  it('never pauses longer than 15 minutes, lets the next attempt through after the pause, and no sixth in 15 minutes without a pause', () => {
    assert(
      property(array(integer({ min: 0, max: 400_000 }), { maxLength: 60 }), (gaps) => {
        let at = start
        let current: Attempts | undefined
        const passed: number[] = []
        for (const gap of gaps) {
          at += gap
          const verdict = judgeAttempt(current, at)
          if (verdict.allowed) {
            current = verdict.next
            passed.push(at)
          } else if (
            verdict.waitMs <= 0 ||
            verdict.waitMs > maxPauseMs ||
            !judgeAttempt(current, at + verdict.waitMs).allowed
          ) {
            return false
          }
        }
        return passed.every((last, index) => {
          const fiveBefore = passed[index - allowedFailures]
          return (
            fiveBefore === undefined || last >= fiveBefore + windowMs || last - (passed[index - 1] as number) >= 30_000
          )
        })
      }),
    )
  })
})
