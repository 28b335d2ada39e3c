import { describe, expect, it } from 'vitest'
import { defaultSchedule, delayBefore } from '../../../../../../shared/messages/deliveries/state/schedule.ts'

const [least, middle, most] = [0, 0.5, 1 - Number.EPSILON].map((value) => () => value) as [
  () => number,
  () => number,
  () => number,
]

describe('the delay before an attempt', () => {
  it('follows the schedule', () => {
    expect(defaultSchedule.map((_, made) => delayBefore(defaultSchedule, made, middle))).toEqual(
      [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000),
    )
    expect(delayBefore(defaultSchedule, 8, middle)).toBeUndefined()
  })

  it('differs by 20 % at most', () => {
    expect([delayBefore(defaultSchedule, 2, least), delayBefore(defaultSchedule, 2, most)]).toEqual([240_000, 360_000])
  })

  it.each([
    [1_000, 300_000],
    [400_000, 400_000],
    [3_600_000, 1_200_000],
  ])('is at most four times as long when the receiver asks for %i ms', (asked, delay) => {
    expect(delayBefore(defaultSchedule, 2, most, asked)).toBe(delay)
  })

  it('is up to a minute when the receiver asks for it, however short the schedule is', () => {
    expect([6_000, 90_000].map((asked) => delayBefore([0, 1, 1], 1, middle, asked))).toEqual([6_000, 60_000])
  })
})
