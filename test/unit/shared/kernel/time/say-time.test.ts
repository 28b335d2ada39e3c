import { expect, it } from 'vitest'
import { holdsTime, sayDay, sayTime, sayTimesIn, sayValue } from '../../../../../shared/kernel/time/say-time.ts'

const at = Date.parse('2026-07-01T22:30:00.000Z')
const berlin = (locale: string | null) => ({ locale, timeZone: 'Europe/Berlin' })

it.each([
  [null, '2 July 2026, 00:30'],
  ['en', '2 July 2026, 00:30'],
  ['de', '2. Juli 2026, 00:30'],
  ['de-AT', '2. Juli 2026, 00:30'],
  ['en-US', 'July 2, 2026, 12:30 AM'],
  ['no such language', '2 July 2026, 00:30'],
])('writes a time for a reader of %s', (locale, expected) => {
  expect(sayTime(at, berlin(locale)).replaceAll('\u202f', ' ')).toBe(expected)
})

it('writes a day in the time zone', () => {
  expect([sayDay(at, berlin('de')), sayDay(at, { locale: null, timeZone: 'UTC' })]).toEqual([
    '2. Juli 2026',
    '1 July 2026',
  ])
})

it.each(['2026-07-01', '22:30', 'x 2026-07-01T22:30:00Z', '2026-07-01T22:30:00', '2026-13-41T22:30:00Z', 'Printer 2'])(
  'leaves %s as it is where it is a value',
  (text) => {
    expect(sayValue(text, berlin(null))).toBe(text)
  },
)

it('says the times inside a text, and no part of a longer word', () => {
  expect(sayTimesIn('requests 86, due 2026-07-01T22:30:00.000Z.', berlin(null))).toBe(
    'requests 86, due 2 July 2026, 00:30.',
  )
  const name = 'export-2026-07-01T22:30:00Z-x'
  expect([sayTimesIn(name, berlin(null)), holdsTime(name), holdsTime('due 2026-07-02T00:30+02:00')]).toEqual([
    name,
    false,
    true,
  ])
})
