import { describe, expect, it, test } from 'vitest'
import { nextTiming, skipUntil, timingOf } from '../../../../../../shared/automation/bpmn/shapes/timing.ts'

const now = Date.parse('2026-01-31T10:00:00Z')

describe('durations', () => {
  test.each([
    ['PT4H', '2026-01-31T14:00:00.000Z'],
    ['PT90M', '2026-01-31T11:30:00.000Z'],
    ['PT0.5S', '2026-01-31T10:00:00.500Z'],
    ['PT1.5H', '2026-01-31T11:30:00.000Z'],
    ['P1D', '2026-02-01T10:00:00.000Z'],
    ['P2W', '2026-02-14T10:00:00.000Z'],
    ['P1M', '2026-02-28T10:00:00.000Z'],
    ['P1Y2M10DT2H30M', '2027-04-10T12:30:00.000Z'],
    ['P0D', '2026-01-31T10:00:00.000Z'],
  ])('%s ends at %s', (duration, due) => expect(timingOf('timeDuration', duration, now)).toEqual({ due }))

  test.each([
    '',
    'P',
    'PT',
    'P1DT',
    '4H',
    'PT4',
    'P1H',
    'PT1M1H',
    '-PT1H',
    'PT1H ',
    'R3/PT1H',
    '2026-01-01',
    'P1.5Y',
    'P999999999D',
  ])("'%s' is none", (text) => expect(timingOf('timeDuration', text, now)).toBeUndefined())
})

describe('dates', () => {
  test.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T08:00', '2026-05-01T08:00:00.000Z'],
    ['2026-05-01T08:00:00', '2026-05-01T08:00:00.000Z'],
    ['2026-05-01T08:00:00Z', '2026-05-01T08:00:00.000Z'],
    ['2026-05-01T08:00:00.250Z', '2026-05-01T08:00:00.250Z'],
    ['2026-05-01T08:00:00+02:00', '2026-05-01T06:00:00.000Z'],
    ['2026-05-01T08:00:00+0200', '2026-05-01T06:00:00.000Z'],
    ['2026-05-01T08:00:00-05', '2026-05-01T13:00:00.000Z'],
    // By the clocks of a zone, which an offset goes before; a time that they skip is later.
    ['2026-05-01T08:00:00[Europe/Vienna]', '2026-05-01T06:00:00.000Z'],
    ['2026-12-01T08:00:00@America/Port-au-Prince', '2026-12-01T13:00:00.000Z'],
    ['2026-05-01T08:00:00+05:00[Europe/Vienna]', '2026-05-01T03:00:00.000Z'],
    ['2026-05-01[Europe/Vienna]', '2026-04-30T22:00:00.000Z'],
    ['2026-03-29T02:30:00[Europe/Vienna]', '2026-03-29T01:30:00.000Z'],
  ])('%s is %s', (date, due) => expect(timingOf('timeDate', date, now)).toEqual({ due }))

  test.each([
    '',
    'tomorrow',
    '2026-13-01',
    '2026-05-01T25:00',
    '01.05.2026',
    'PT1H',
    '2026-02-30',
    '2026-05-01T08:00[Europe/Wien]',
    '2026-05-01T08:00@',
    '@Europe/Vienna',
  ])("'%s' is none", (text) => expect(timingOf('timeDate', text, now)).toBeUndefined())
})

describe('cycles', () => {
  const dues = (cycle: string): string[] => {
    const due: string[] = []
    for (
      let timing = timingOf('timeCycle', cycle, now);
      timing !== undefined && due.length < 5;
      timing = nextTiming(timing)
    )
      due.push(timing.due.slice(0, 16))
    return due
  }

  test.each([
    ['R1/PT1H', ['2026-01-31T11:00']],
    ['R3/PT1H', ['2026-01-31T11:00', '2026-01-31T12:00', '2026-01-31T13:00']],
    ['R2/2026-03-01T00:00:00Z/P1M', ['2026-03-01T00:00', '2026-04-01T00:00']],
    // Counted from where they began, so that the last day of a month comes back.
    [
      'R/2026-01-31/P1M',
      ['2026-01-31T00:00', '2026-02-28T00:00', '2026-03-31T00:00', '2026-04-30T00:00', '2026-05-31T00:00'],
    ],
    ['R3/P1M', ['2026-02-28T10:00', '2026-03-31T10:00', '2026-04-30T10:00']],
    ['R3/2024-02-29/P1Y', ['2024-02-29T00:00', '2025-02-28T00:00', '2026-02-28T00:00']],
    // By the clocks of a zone: nine in the morning stays nine.
    ['R3/2026-03-28T09:00[Europe/Vienna]/P1D', ['2026-03-28T08:00', '2026-03-29T07:00', '2026-03-30T07:00']],
    ['R3/2026-03-28T09:00+01:00[Europe/Vienna]/P1M', ['2026-03-28T08:00', '2026-04-28T07:00', '2026-05-28T07:00']],
    ['R2/2026-03-28T09:00[Europe/Vienna]/PT24H', ['2026-03-28T08:00', '2026-03-29T08:00']],
    ['R/P1D', ['2026-02-01T10:00', '2026-02-02T10:00', '2026-02-03T10:00', '2026-02-04T10:00', '2026-02-05T10:00']],
  ])('%s fires as often as it says', (cycle, due) => expect(dues(cycle)).toEqual(due))

  test.each([
    '',
    'R0/PT1H',
    'R3',
    'R3/',
    'R3/PT0S',
    'PT1H',
    '3/PT1H',
    'R3/PT1H/2026-01-01',
    '0 61 * * *',
    'R3/soon/PT1H',
  ])("'%s' is none", (text) => expect(timingOf('timeCycle', text, now)).toBeUndefined())
})

describe('cron schedules', () => {
  it('repeat without end, by the clocks of a time zone', () => {
    const first = timingOf('timeCycle', '0 9 * * 1-5', now, 'Europe/Vienna')
    expect(first).toEqual({ due: '2026-02-02T08:00:00.000Z', left: -1, every: '0 9 * * 1-5', zone: 'Europe/Vienna' })
    expect(first && nextTiming(first)?.due).toBe('2026-02-03T08:00:00.000Z')
    expect(timingOf('timeCycle', '61 * * * *', now)).toBeUndefined()
  })
})

describe('what was missed', () => {
  const at = (text: string) => Date.parse(text)
  test.each([
    ['R/PT1H', '2026-01-31T10:30:00Z', 0, '2026-01-31T11:00:00.000Z'],
    ['R/PT1H', '2026-01-31T11:00:00Z', 1, '2026-01-31T12:00:00.000Z'],
    ['R/PT1S', '2027-01-31T10:00:00Z', 31_536_000, '2027-01-31T10:00:01.000Z'],
    ['R3/PT1H', '2026-01-31T12:30:00Z', 2, '2026-01-31T13:00:00.000Z'],
    ['R3/PT1H', '2026-02-01T00:00:00Z', 3, undefined],
    ['R/P1M', '2026-06-01T00:00:00Z', 4, '2026-06-30T10:00:00.000Z'],
    ['R/2026-03-01T09:00[Europe/Vienna]/P1D', '2026-03-30T00:00:00Z', 29, '2026-03-30T07:00:00.000Z'],
    ['0 * * * *', '2026-02-01T10:30:00Z', 24, '2026-02-01T11:00:00.000Z'],
    ['* * * * *', '2026-12-01T10:30:20Z', 1000, '2026-12-01T10:31:00.000Z'],
  ])('%s until %s: %i, then %s', (text, until, skipped, due) => {
    const result = skipUntil(timingOf('timeCycle', text, now), at(until))
    expect([result.skipped, result.next?.due]).toEqual([skipped, due])
  })

  it('of a bounded repetition counts towards its bound', () => {
    expect(skipUntil(timingOf('timeCycle', 'R3/PT1H', now), at('2026-01-31T11:30:00Z')).next?.left).toBe(1)
    expect(skipUntil(undefined, now)).toEqual({ next: undefined, skipped: 0 })
  })
})
