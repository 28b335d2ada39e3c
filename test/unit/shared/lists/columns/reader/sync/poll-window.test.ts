import { describe, expect, it } from 'vitest'
import { pollWindow } from '../../../../../../../shared/lists/columns/reader/sync/poll-window.ts'

const time = (ms: number): string => new Date(ms).toISOString()
const now = Date.parse('2026-11-20T08:00:00.000Z')

describe('the moment from which on changes are asked for', () => {
  it('is in a process that begins the one up to which the blocks have everything, and the beginning without blocks', () => {
    const moments = pollWindow()
    expect(moments.since(now, time(now - 3_600_000))).toBe(time(now - 3_600_000))
    expect(moments.since(now, '')).toBe('')
  })

  it('is three seconds before the newest change seen, and every five seconds ten seconds before it', () => {
    const moments = pollWindow()
    moments.since(now, '')
    moments.noteComplete(now, time(now - 100))
    expect(moments.since(now + 4_999, '')).toBe(time(now - 3_100))
    moments.noteComplete(now + 4_999, time(now + 2_000))
    expect(moments.since(now + 5_000, '')).toBe(time(now - 5_001))
    moments.noteComplete(now + 5_000, '')
    expect(moments.since(now + 5_001, '')).toBe(time(now - 1_000))
  })

  it('leaves no change out whose index entry came later than that of a newer one', () => {
    const moments = pollWindow()
    moments.since(now, '')
    const written = now + 1_000
    moments.noteComplete(now + 2_400, time(written + 1_400))
    expect(moments.since(now + 2_500, '') <= time(written)).toBe(true)
  })

  it('stays where it was while no sync is complete', () => {
    const moments = pollWindow()
    moments.since(now, '')
    moments.noteComplete(now, time(now))
    expect(moments.since(now + 6_000, '')).toBe(time(now - 10_000))
    expect(moments.since(now + 6_001, '')).toBe(time(now - 10_000))
  })

  it('is at most ten seconds before the last sync, so that an import long ago is not read again and again', () => {
    const moments = pollWindow()
    moments.since(now, '')
    moments.noteComplete(now, time(now - 30_000))
    expect(moments.since(now + 1_000, '')).toBe(time(now - 10_000))
  })

  it('is not moved into the future by a writer whose clock is ahead', () => {
    const moments = pollWindow()
    moments.since(now, '')
    moments.noteComplete(now, time(now + 3_600_000))
    expect(moments.since(now + 1_000, '')).toBe(time(now - 3_000))
  })

  it('is after a sleep what the process saw last, unless blocks have everything up to a later one', () => {
    const moments = pollWindow()
    moments.since(now, '')
    moments.noteComplete(now, time(now))
    const later = now + 3_600_000
    expect(moments.since(later, time(later - 5_000))).toBe(time(later - 5_000))
    expect(moments.since(later, time(now - 30_000))).toBe(time(now - 10_000))
  })
})
