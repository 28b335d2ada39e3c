import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BucketUnit, bucketsOf, bucketUnits } from '../../../../../shared/lists/query/kinds/buckets.ts'
import { runs } from '../../../../make/depth.ts'

const zones = ['UTC', 'Europe/Vienna', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe']
const dayMs = 86_400_000
const moment = fc.integer({ min: Date.parse('1990-01-01T00:00:00Z'), max: Date.parse('2037-01-01T00:00:00Z') })

/** What a calendar on the wall shows at a moment. */
function wall(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return parts.format(at)
}

/** The first day of what a day is in, by the calendar. */
const firstDay: Readonly<Record<Exclude<BucketUnit, 'hour'>, (day: string) => string>> = {
  day: (day) => day,
  week(day) {
    const at = new Date(`${day}T00:00:00Z`)
    return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10)
  },
  month: (day) => `${day.slice(0, 7)}-01`,
  quarter: (day) => `${day.slice(0, 5)}${['01', '04', '07', '10'][Math.floor((Number(day.slice(5, 7)) - 1) / 3)]}-01`,
  year: (day) => `${day.slice(0, 4)}-01-01`,
}

describe('a bucket', () => {
  it('of a moment begins with the day that the calendars of its zone show', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), fc.constantFrom(...bucketUnits), (at, zone, unit) => {
        if (unit === 'hour') return
        const { numberOf, shown } = bucketsOf(unit, 'datetime', zone)
        expect(shown(numberOf(at))).toBe(firstDay[unit](wall(at, zone)))
      }),
      { numRuns: runs(2000, 200) },
    )
  })

  it('of a date does not depend on a zone', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...bucketUnits), (at, unit) => {
        if (unit === 'hour') return
        const day = Math.floor(at / dayMs)
        const { numberOf, shown } = bucketsOf(unit, 'date', 'America/New_York')
        expect(shown(numberOf(day))).toBe(firstDay[unit](new Date(day * dayMs).toISOString().slice(0, 10)))
      }),
    )
  })

  it.each([
    ['an hour that clocks show twice', 'Europe/Vienna', '2026-10-25T00:30:00Z', '2026-10-25T00:00:00.000Z'],
    ['the second of them', 'Europe/Vienna', '2026-10-25T01:30:00Z', '2026-10-25T01:00:00.000Z'],
    ['an hour of a zone with half hours', 'Asia/Kolkata', '2026-03-01T10:10:00Z', '2026-03-01T09:30:00.000Z'],
    ['before 1970', 'UTC', '1969-12-31T23:59:59.999Z', '1969-12-31T23:00:00.000Z'],
  ])('of hours: %s', (_, zone, at, begins) => {
    const { numberOf, shown } = bucketsOf('hour', 'datetime', zone)
    expect(shown(numberOf(Date.parse(at)))).toBe(begins)
  })
})
