import { describe, expect, it, test } from 'vitest'
import { cronProblem, looksLikeCron, nextOfCron } from '../../../../../shared/kernel/time/cron.ts'

const next = (text: string, after: string, zone = 'UTC'): string | undefined => {
  const ms = nextOfCron(text, Date.parse(after), zone)
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

describe('a cron schedule', () => {
  test.each([
    ['0 9 * * 1-5', '2026-11-27T09:00:00.000Z'],
    ['0 9 ? * MON-FRI', '2026-11-27T09:00:00.000Z'],
    ['*/5 * * * * *', '2026-11-26T12:00:05.000Z'],
    ['0 0/5 * * * ?', '2026-11-26T12:05:00.000Z'],
    ['0 0 12 1/1 * ? *', '2026-11-27T12:00:00.000Z'],
    ['0 0 L * *', '2026-11-30T00:00:00.000Z'],
    ['0 0 * * FRI#2', '2026-12-11T00:00:00.000Z'],
    ['@daily', '2026-11-27T00:00:00.000Z'],
  ])('%s fires next at %s', (text, due) => {
    expect([looksLikeCron(text), cronProblem(text)]).toEqual([true, undefined])
    expect(next(text, '2026-11-26T12:00:00Z')).toBe(due)
  })

  it('goes by the clocks of its time zone, over the change to summer time and back', () => {
    expect(next('0 9 * * *', '2026-03-28T12:00:00Z', 'Europe/Vienna')).toBe('2026-03-29T07:00:00.000Z')
    expect(next('0 9 * * *', '2026-10-24T12:00:00Z', 'Europe/Vienna')).toBe('2026-10-25T08:00:00.000Z')
    // 02:30 does not exist on this day; on the other it exists twice and fires once.
    expect(next('30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Vienna')).toBe('2026-03-29T01:00:00.000Z')
    expect(next('30 2 * * *', '2026-10-25T00:30:00Z', 'Europe/Vienna')).toBe('2026-10-26T01:30:00.000Z')
  })

  test.each([
    ['61 * * * *', /Invalid value for minute: 61/],
    ['0 0 31 2 *', /no time fits it/],
  ])('%s is none: %s', (text, problem) => {
    expect(looksLikeCron(text)).toBe(true)
    expect(cronProblem(text)).toMatch(problem)
  })

  test.each(['', 'PT1H', 'R3/PT1H', '2026-11-26', 'a + b + c', '1 2 3 4', 'every day', '${record.due}'])(
    '"%s" is not meant as one',
    (text) => expect(looksLikeCron(text)).toBe(false),
  )
})
