import { describe, expect, it } from 'vitest'
import {
  enterLane,
  type Lane,
  leaveLane,
  narrowLane,
  needsRenewal,
} from '../../../../../../shared/messages/deliveries/state/lane.ts'

const start = Date.parse('2026-11-20T08:00:00.000Z')

/** The lane with so many attempts in flight. */
function occupied(count: number): { lane: Lane; places: number[] } {
  let lane = narrowLane
  const places: number[] = []
  for (let at = 0; at < count; at++) {
    const entered = enterLane(lane, start + at)
    if (entered === 'free' || 'waitUntilMs' in entered) throw new Error('there was no place')
    lane = entered.lane
    places.push(entered.place)
  }
  return { lane, places }
}

describe('the lane of a channel', () => {
  it('lets eight attempts in at first; others wait for a moment', () => {
    expect(enterLane(occupied(8).lane, start + 100)).toEqual({ waitUntilMs: start + 1100 })
    expect(() => occupied(9)).toThrow('no place')
  })

  it('makes others wait longer when those in flight are slow', () => {
    expect(enterLane(occupied(8).lane, start + 2001)).toEqual({ waitUntilMs: start + 12_001 })
  })

  it('gets a place back when an attempt ends, or is lost', () => {
    const { lane, places } = occupied(8)
    const left = leaveLane(lane, places[3], false, start + 5000)
    expect(left.inFlight).toHaveLength(7)
    expect(enterLane(left, start + 5000)).toMatchObject({ place: start + 65_000 })
    const later = enterLane(lane, start + 60_001)
    expect(typeof later === 'object' && 'lane' in later && later.lane.inFlight).toHaveLength(7)
  })

  it('is wide for ten seconds after a fast attempt, and narrow after one that was slow', () => {
    const { lane, places } = occupied(8)
    const wide = leaveLane(lane, places[0], true, start + 100)
    expect([enterLane(wide, start + 10_099), needsRenewal(wide, start + 5100)]).toEqual(['free', false])
    expect(needsRenewal(wide, start + 5101)).toBe(true)
    expect(enterLane(wide, start + 10_100)).toMatchObject({ place: expect.any(Number) })
    expect(enterLane(leaveLane(wide, undefined, false, start + 200), start + 200)).not.toBe('free')
  })
})
