import { describe, expect, it } from 'vitest'
import {
  ask,
  beginProbe,
  type Breaker,
  closedBreaker,
  countFailure,
  countSuccesses,
  givesUp,
  hasNoFailures,
  isOpen,
} from '../../../../../../shared/messages/deliveries/state/breaker.ts'

const start = Date.parse('2026-11-20T08:00:00.000Z')
const minute = 60_000

/** Counts outcomes, one every ten seconds: `+` is a success. */
const after = (outcomes: string, from: Breaker = closedBreaker, at = start): Breaker =>
  [...outcomes].reduce(
    (breaker, outcome, index) =>
      outcome === '+' ? countSuccesses(breaker, 1, at + index * 10_000) : countFailure(breaker, at + index * 10_000),
    from,
  )

describe('a breaker', () => {
  it.each([
    ['five failures in a row', '-----'],
    ['seven failures among ten attempts', '--+--+--+-'],
    ['five failures in a row after many successes', '++++++++++++-----'],
  ])('opens at %s', (_what, outcomes) => {
    expect(isOpen(after(outcomes))).toBe(true)
    expect(isOpen(after(outcomes.slice(0, -1)))).toBe(false)
  })

  it.each([
    ['four failures in a row', '----'],
    ['six failures among ten attempts', '--+--+-+-+'],
    ['many successes between failures', '+-+-+-+-+-+-+-+-'],
  ])('stays closed at %s', (_what, outcomes) => {
    expect(ask(after(outcomes), start + 5 * minute)).toBe('send')
  })

  it('forgets what is older than five minutes', () => {
    const before = after('--+--+--+')
    expect(isOpen(countFailure(before, start + 100_000))).toBe(true)
    expect(isOpen(countFailure(before, start + 8 * minute))).toBe(false)
  })

  it('lets one probe through after a minute, and closes when it succeeds', () => {
    const openedAt = start + 40_000
    const open = after('-----')
    expect(ask(open, openedAt + minute - 1)).toEqual({ waitUntilMs: openedAt + minute })
    expect(ask(open, openedAt + minute)).toBe('probe')
    const probing = beginProbe(open, openedAt + minute)
    expect(ask(probing, openedAt + minute)).toEqual({ waitUntilMs: openedAt + 2 * minute })
    expect(ask(probing, openedAt + 2 * minute)).toBe('probe')
    expect(countSuccesses(probing, 1, openedAt + minute)).toEqual(closedBreaker)
  })

  it('waits twice as long after each probe that fails, fifteen minutes at most', () => {
    let open = after('-----')
    const pauses = [1, 2, 3, 4, 5, 6].map((at) => {
      open = countFailure(open, start + at * 20 * minute, true)
      return (open.probeAtMs as number) - (start + at * 20 * minute)
    })
    expect(pauses.map((pause) => pause / minute)).toEqual([2, 4, 8, 15, 15, 15])
  })

  it('takes no failure of an attempt that began before it opened for a probe', () => {
    const open = after('-----')
    expect(countFailure(open, start + minute).probeAtMs).toBe(open.probeAtMs)
  })

  it('gives up a channel that only failed for 120 hours', () => {
    const hours = (count: number) => start + count * 60 * minute
    expect([givesUp(after('-'), hours(119)), givesUp(after('-'), hours(120))]).toEqual([false, true])
    expect(givesUp(after('-+-', closedBreaker, start), hours(120))).toBe(false)
  })

  it('knows whether something failed lately', () => {
    expect([hasNoFailures(after('+++')), hasNoFailures(after('+-')), hasNoFailures(after('-+'))]).toEqual([
      true,
      false,
      false,
    ])
  })
})
