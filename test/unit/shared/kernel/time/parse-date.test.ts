import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate, parseDatetime } from '../../../../../shared/kernel/time/parse-date.ts'

describe('a date', () => {
  it.each(['2026-11-20', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('is read from %s', (text) =>
    expect(parseDate(text)).toBe(text),
  )
  it.each([
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-1-1',
    '20261120',
    '2026-11-20T00:00:00Z',
    '',
    ' 2026-11-20',
    '0000-01-01',
  ])('is not read from %j', (text) => expect(parseDate(text)).toBeUndefined())
})

describe('a datetime', () => {
  it.each([
    ['2026-11-20T07:17:00.000Z', '2026-11-20T07:17:00.000Z'],
    ['2026-11-20T07:17:00Z', '2026-11-20T07:17:00.000Z'],
    ['2026-11-20T07:17', '2026-11-20T07:17:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T07:17:00+02:00', '2026-11-20T05:17:00.000Z'],
    ['2026-11-20T07:17:00+02', '2026-11-20T05:17:00.000Z'],
    ['2026-11-20T07:17:00-0930', '2026-11-20T16:47:00.000Z'],
    ['2026-11-20T23:30:00-0130', '2026-11-21T01:00:00.000Z'],
    ['2026-11-20T07:17:00.123456Z', '2026-11-20T07:17:00.123Z'],
  ])('is read from %s as %s', (text, utc) => expect(parseDatetime(text)).toBe(utc))

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T07:60:00Z',
    '2026-11-20T07:17:61Z',
    '2026-11-20 07:17:00',
    '2026-11-20T07:17:00+25:00',
    'tomorrow',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
  ])('is not read from %j', (text) => expect(parseDatetime(text)).toBeUndefined())

  it('is read back from every ISO text of a date', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(parseDatetime(date.toISOString())).toBe(date.toISOString())
        },
      ),
    )
  })
})
