import { expect, it } from 'vitest'
import { holdRule, leavesAt } from '../../../../../shared/messages/preferences/hold-rule.ts'

const at = (text: string): number => Date.parse(text)
const night = { from: '22:00', to: '07:00' }
const leaves = (
  chosen: Partial<Parameters<typeof holdRule>[0]>,
  asked: string,
  now = asked,
  type: 'email' | 'messenger' = 'email',
) => {
  const rule = holdRule({ digest: 'none', quiet: null, timeZone: null, ...chosen }, type, 'Europe/Berlin')
  return new Date(leavesAt(rule, at(asked), at(now))).toISOString()
}

it.each([
  ['nothing holds it', {}, '2026-07-01T21:00:00Z', '2026-07-01T21:00:00.000Z'],
  ['in the evening until the morning', { quiet: night }, '2026-07-01T20:30:00Z', '2026-07-02T05:00:00.000Z'],
  ['after midnight too', { quiet: night }, '2026-07-02T04:59:59Z', '2026-07-02T05:00:00.000Z'],
  ['not when they have ended', { quiet: night }, '2026-07-02T05:00:00Z', '2026-07-02T05:00:00.000Z'],
  ['not before they begin', { quiet: night }, '2026-07-01T19:59:00Z', '2026-07-01T19:59:00.000Z'],
  ['within a day', { quiet: { from: '12:00', to: '13:30' } }, '2026-07-01T10:15:00Z', '2026-07-01T11:30:00.000Z'],
  [
    'by the clocks of the reader',
    { quiet: night, timeZone: 'Asia/Tokyo' },
    '2026-07-01T13:00:00Z',
    '2026-07-01T22:00:00.000Z',
  ],
  ['at the full hour', { digest: 'hourly' as const }, '2026-07-01T10:15:00Z', '2026-07-01T11:00:00.000Z'],
  [
    'at the full hour of the clock on the wall',
    { digest: 'hourly' as const, timeZone: 'Asia/Kathmandu' },
    '2026-07-01T10:20:00Z',
    '2026-07-01T11:15:00.000Z',
  ],
  ['in the morning', { digest: 'daily' as const }, '2026-07-01T10:15:00Z', '2026-07-02T06:00:00.000Z'],
  [
    'in the morning, after a long night',
    { digest: 'daily' as const, quiet: { from: '20:00', to: '09:00' } },
    '2026-07-01T10:15:00Z',
    '2026-07-02T07:00:00.000Z',
  ],
  [
    'in the night in which clocks are put forward',
    { quiet: { from: '23:00', to: '02:30' } },
    '2026-03-28T23:30:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'in the night in which clocks are put back',
    { quiet: { from: '23:00', to: '07:00' } },
    '2026-10-25T00:30:00Z',
    '2026-10-25T06:00:00.000Z',
  ],
])('a notice leaves %s', (_, chosen, asked, expected) => {
  expect(leaves(chosen, asked)).toBe(expected)
})

it('leaves at once what waited longer than the rule of now says', () => {
  expect(leaves({ digest: 'hourly' }, '2026-07-01T10:15:00Z', '2026-07-01T12:40:00Z')).toBe('2026-07-01T12:40:00.000Z')
})

it('gathers mails only: a chat is not read like a letter', () => {
  expect(leaves({ digest: 'daily' }, '2026-07-01T10:15:00Z', '2026-07-01T10:15:00Z', 'messenger')).toBe(
    '2026-07-01T10:15:00.000Z',
  )
  expect(leaves({ quiet: night }, '2026-07-01T20:30:00Z', '2026-07-01T20:30:00Z', 'messenger')).toBe(
    '2026-07-02T05:00:00.000Z',
  )
})
