import { expect, it } from 'vitest'
import { activitiesOf } from '../../../../../../shared/automation/processes/instances/activity-history.ts'

const event = (execution_id: string, what: 'entered' | 'completed' | 'cancelled' | 'failed', at: string) => ({
  element_id: execution_id.split('#')[0] as string,
  name: null,
  type: 'userTask',
  execution_id,
  what,
  at,
})
const summariesOf = (events: Parameters<typeof activitiesOf>[0]) =>
  activitiesOf(events).map(({ execution_id, status, started_at, ended_at }) => [
    execution_id,
    status,
    started_at,
    ended_at,
  ])

it('activities combine their start and end events, in the order of their start', () => {
  expect(
    summariesOf([
      event('a#1', 'entered', '1'),
      event('b#1', 'entered', '2'),
      event('b#1', 'completed', '3'),
      event('a#1', 'cancelled', '4'),
      event('a#2', 'entered', '5'),
    ]),
  ).toEqual([
    ['a#1', 'cancelled', '1', '4'],
    ['b#1', 'completed', '2', '3'],
    ['a#2', 'active', '5', null],
  ])
})

it('an activity that failed is failed until it is completed', () => {
  expect(summariesOf([event('a#1', 'entered', '1'), event('a#1', 'failed', '2')])).toEqual([
    ['a#1', 'failed', '1', null],
  ])
  expect(
    summariesOf([event('a#1', 'entered', '1'), event('a#1', 'failed', '2'), event('a#1', 'completed', '3')]),
  ).toEqual([['a#1', 'completed', '1', '3']])
})
