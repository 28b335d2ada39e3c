import { expect, it } from 'vitest'
import { isTimeZone, nearestTimeZone } from '../../../../../shared/kernel/time/time-zone.ts'

it.each([
  ['Europe/Berln', 'Europe/Berlin'],
  ['europe/vienna', 'Europe/Vienna'],
  ['Berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['x'.repeat(10_000), undefined],
])('%s is most like %s', (given, expected) => expect(nearestTimeZone(given)).toBe(expected))

it.each([
  ['Europe/Vienna', true],
  ['UTC', true],
  ['Europe/Berln', false],
  ['', false],
])('whether "%s" is a time zone: %s', (name, expected) => expect(isTimeZone(name)).toBe(expected))
