import { afterEach, describe, expect, it, vi } from 'vitest'
import { dayOf, endOfDay, startOfDay } from '../../../web/profile/days.ts'

afterEach(() => vi.unstubAllEnvs())

describe('the days of an absence', () => {
  it.each([
    ['Europe/Berlin', '2026-12-20T23:00:00.000Z', '2026-12-21T23:00:00.000Z'],
    ['America/Los_Angeles', '2026-12-21T08:00:00.000Z', '2026-12-22T08:00:00.000Z'],
  ])('begin and end at midnight in %s', (zone, begins, ends) => {
    vi.stubEnv('TZ', zone)
    expect([startOfDay('2026-12-21'), endOfDay('2026-12-21')]).toEqual([begins, ends])
    expect([dayOf(begins), dayOf(ends, -1)]).toEqual(['2026-12-21', '2026-12-21'])
  })

  it('end at midnight also when the clock changes', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect([startOfDay('2026-10-25'), endOfDay('2026-10-25')]).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ])
  })
})
