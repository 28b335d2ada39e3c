import { describe, expect, it } from 'vitest'
import { billOf, sumOf, times } from '../../../../../infra/operate/cost/bill.ts'
import { pricesOf, regions } from '../../../../../infra/operate/cost/prices.ts'

const region = 'us-east-1'
const cents = (usd: number): number => Math.round(usd * 100_000) / 100_000

it('is higher where prices are', () => {
  expect(cents(billOf({ writeUnits: 1_000_000, alarmMetrics: 1 }, { region: 'eu-central-1' }).usd)).toBe(0.8625)
})

describe('a bill', () => {
  it.each<[string, Parameters<typeof billOf>[0], number]>([
    ['nothing', {}, 0],
    ['a million write units', { writeUnits: 1_000_000 }, 0.625],
    ['a million read units', { readUnits: 1_000_000 }, 0.125],
    ['30 alarms', { alarmMetrics: 30 }, 3],
    ['a thousand writes to S3', { s3Writes: 1000 }, 0.005],
    ['reads of the stream, which are free', { streamReads: 1_000_000 }, 0],
    ['both kinds of queues', { sqsRequests: 1_000_000, fifoRequests: 1_000_000 }, 0.9],
  ])('of %s', (_, quantities, usd) => {
    expect(cents(billOf(quantities, { region }).usd)).toBe(usd)
  })

  it('adds up its services', () => {
    const { services, usd } = billOf(
      { sqsRequests: 3e6, fifoRequests: 2e6, writeUnits: 5e6, gbSeconds: 1000 },
      { region },
    )
    expect(services.map(({ service }) => service)).toEqual(['DynamoDB writes', 'Lambda duration', 'SQS'])
    expect(cents(services.reduce((sum, service) => sum + service.usd, 0))).toBe(cents(usd))
  })

  it('takes off what an account gets for nothing, but never below zero', () => {
    expect(
      billOf({ alarmMetrics: 12, dashboards: 1, writeUnits: 1_000_000 }, { region, isFreeTierUnused: true }),
    ).toEqual({
      services: [
        { service: 'DynamoDB writes', usd: 0.625 },
        { service: 'CloudWatch alarms', usd: 0.2 },
        { service: 'CloudWatch dashboards', usd: 0 },
      ],
      usd: 0.825,
    })
  })
})

it('quantities are added and multiplied by name', () => {
  const sum = sumOf([{ readUnits: 1, invocations: 2 }, { readUnits: 0.5 }])
  expect(sum).toEqual({ readUnits: 1.5, invocations: 2 })
  expect(times(sum, 2)).toEqual({ readUnits: 3, invocations: 4 })
})

it.each(regions)('in %s every price names the page to check it on', (name) => {
  for (const { page, per, usd } of Object.values(pricesOf(name))) {
    expect(page).toMatch(/^https:\/\/(docs\.)?aws\.amazon\.com\//)
    expect(per).toBeGreaterThan(0)
    expect(usd).toBeGreaterThanOrEqual(0)
  }
})
