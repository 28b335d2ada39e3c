import { expect, it } from 'vitest'
import {
  activitiesOf,
  interleaveOperations,
} from '../../../../../../shared/automation/processes/instances/activity-history.ts'

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

const listed = (id: string, at: string, steps?: number) => ({
  id,
  ...(steps !== undefined && { steps }),
  answer: { action: 'suspend' as const, by: null, at, details: {} },
})
const interleaved = (isShortened: boolean, ...operations: Parameters<typeof interleaveOperations>[1]) =>
  interleaveOperations(
    {
      history: activitiesOf([
        event('a#1', 'completed', '1'),
        event('b#1', 'entered', '3'),
        event('c#1', 'entered', '3'),
      ]),
      has_more_history: isShortened,
      firstSteps: new Map([
        ['a#1', 7],
        ['b#1', 8],
        ['c#1', 9],
      ]),
    },
    operations,
  ).map(({ execution_id }) => execution_id)

it('an operation stands behind the steps that were stored before it, also within one millisecond', () => {
  expect(interleaved(false, listed('late', '3', 9), listed('between', '3', 8), listed('early', '0', 0))).toEqual([
    'operation.early',
    'a#1',
    'b#1',
    'operation.between',
    'c#1',
    'operation.late',
  ])
})

it('an operation of before steps were counted stands where its time says', () => {
  expect(interleaved(false, listed('old', '2'))).toEqual(['a#1', 'operation.old', 'b#1', 'c#1'])
})

it('an operation before the oldest entry of a shortened history is left out', () => {
  expect(interleaved(true, listed('between', '2', 7), listed('early', '0', 2))).toEqual([
    'a#1',
    'operation.between',
    'b#1',
    'c#1',
  ])
})
