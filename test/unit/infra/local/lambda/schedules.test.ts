import { describe, expect, it } from 'vitest'
import { parseSchedule } from '../../../../../infra/local/lambda/schedule-expression.ts'
import { tinyCloud } from '../../../../make/services/tiny-cloud.ts'
import { arnOf, tinyFunction } from '../../../../make/services/tiny-template.ts'

describe('a schedule expression', () => {
  const after = (expression: string, from: string): string | undefined => {
    const next = parseSchedule(expression).next(Date.parse(from))
    return next === undefined ? undefined : new Date(next).toISOString()
  }

  it.each([
    ['rate(5 minutes)', '2026-11-20T10:00:30Z', '2026-11-20T10:05:30.000Z'],
    ['rate(1 day)', '2026-11-20T10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['cron(0 3 * * ? *)', '2026-11-20T10:00:00Z', '2026-11-21T03:00:00.000Z'],
    ['cron(0 3 * * ? *)', '2026-11-20T02:59:59Z', '2026-11-20T03:00:00.000Z'],
    ['cron(0/15 * * * ? *)', '2026-11-20T10:16:00Z', '2026-11-20T10:30:00.000Z'],
    ['cron(30 8-10 ? * MON-FRI *)', '2026-11-20T10:30:00Z', '2026-11-23T08:30:00.000Z'],
    ['cron(0 0 1 JAN,JUL ? *)', '2026-11-20T00:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['cron(0 0 29 2 ? *)', '2026-11-20T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['cron(0 0 * * ? 2025)', '2026-11-20T00:00:00Z', undefined],
  ])('%s after %s', (expression, from, expected) => {
    expect(after(expression, from)).toBe(expected)
  })

  it.each(['rate(5 weeks)', 'cron(0 3 * * *)', 'cron(61 * * * ? *)', 'cron(0 0 ? * FOO *)', 'at(2026-11-20T10:00:00)'])(
    'refuses %s',
    (expression) => {
      expect(() => parseSchedule(expression)).toThrow(/schedule/)
    },
  )
})

describe('a timed rule', () => {
  const code = `
    const seen = (globalThis.tinySchedule ??= [])
    export const tick = async (event) => { seen.push(event) }`
  const shared = globalThis as { tinySchedule?: unknown[] }
  const events = (): unknown[] => (shared.tinySchedule ??= [])
  const rule = (more: object = {}) => ({
    Type: 'AWS::Events::Rule',
    Properties: {
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ Arn: arnOf('TickFunction'), Id: 'Target' }],
      ...more,
    },
  })
  const TickFunction = tinyFunction('tick', { Variables: { TABLE_NAME: '' } })
  const minute = 60_000

  it('runs once after the start when it was due while the machine was off', async () => {
    events().length = 0
    const clock = { now: Date.UTC(2026, 10, 20) }
    const cloud = await tinyCloud({
      code,
      resources: { TickFunction, Rule: rule() },
      onDisk: true,
      now: () => clock.now,
    })
    await cloud.idle()
    expect(events()).toEqual([])
    clock.now += 10 * minute
    const again = await cloud.restart()
    while (events().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await again.restart()
    expect(events()).toMatchObject([
      { source: 'aws.events', 'detail-type': 'Scheduled Event', time: '2026-11-20T00:10:00Z', detail: {} },
    ])
  })

  it('does not run when disabled, and its function can still be invoked', async () => {
    events().length = 0
    const cloud = await tinyCloud({ code, resources: { TickFunction, Rule: rule({ State: 'DISABLED' }) } })
    await cloud.invoke('tick', { by: 'hand' })
    expect(events()).toEqual([{ by: 'hand' }])
  })

  it('must have a schedule expression', async () => {
    const resources = { TickFunction, Rule: rule({ ScheduleExpression: undefined, EventPattern: { source: ['x'] } }) }
    await expect(tinyCloud({ code, resources })).rejects.toThrow(
      'The local cloud runs timed rules only, and Rule has no ScheduleExpression.',
    )
  })
})
