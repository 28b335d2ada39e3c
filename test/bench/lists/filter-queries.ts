import { pageSize, type ModelRow } from '../world/model.ts'
import { dueDay, states } from '../world/request-record.ts'
import { below, oneOf, twentiethWords } from '../world/words.ts'
import { firstPage, type ListAsk, type ListQuery } from './list-query.ts'

const two = (n: number): readonly [string, string] => {
  const first = below(states.length, n, 91)
  return [states[first] as string, states[(first + 1 + below(states.length - 1, n, 92)) % states.length] as string]
}
const hasInTitle = (word: string, { title }: ModelRow): boolean => title.toLowerCase().includes(word.toLowerCase())

/** A page of the newest records whose title contains a text. */
function titleContains(page: number, text: string): ListAsk {
  return {
    body: { filter: { title: { _icontains: text } }, page, per_page: pageSize },
    lists: { matches: (row) => hasInTitle(text, row), page },
  }
}

/** Filters of one to three conditions, most with a sort. */
export const filterQueries: readonly ListQuery[] = [
  {
    name: '1 status =, priority ≥, sort -priority',
    kind: 'values',
    isMeasuredCold: true,
    ask: (n, world) => {
      const [status, priority, page] = [oneOf(states, n, 50), 2 + below(3, n, 51), firstPage(n, world)]
      return {
        body: { filter: { status, priority: { _gte: priority } }, sort: ['-priority'], page, per_page: pageSize },
        lists: {
          matches: (row) => row.status === status && row.priority >= priority,
          order: [['priority', 'down']],
          page,
        },
      }
    },
  },
  {
    name: '2 status in 2, client =, priority ≥, sort -priority',
    kind: 'values',
    ask: (n, { surroundings: { clients } }) => {
      const [some, client] = [two(n), clients.first + below(clients.count, n, 52)]
      return {
        body: {
          filter: { status: { _in: some }, client_id: client, priority: { _gte: 2 } },
          sort: ['-priority'],
          per_page: pageSize,
        },
        lists: {
          matches: (row) => some.includes(row.status) && row.client_id === client && row.priority >= 2,
          order: [['priority', 'down']],
          page: 1,
        },
      }
    },
  },
  {
    name: '3 status ≠, created by me, newest',
    kind: 'values',
    isMeasuredCold: true,
    ask: (n, world) => {
      const [status, person, page] = [oneOf(states, n, 53), oneOf(world.agents, n, 54), firstPage(n, world)]
      return {
        body: { filter: { status: { _neq: status }, created_by: '$CURRENT_USER' }, page, per_page: pageSize },
        token: person.token,
        lists: { matches: (row) => row.status !== status && row.createdBy === person.id, page },
      }
    },
  },
  {
    name: '4 (due < or none), status not in 2, sort due, -priority',
    kind: 'values',
    isHeavy: true,
    ask: (n, world) => {
      const [some, day, page] = [two(n), dueDay(100 + below(500, n, 55)), firstPage(n, world)]
      return {
        body: {
          filter: { _or: [{ due: { _lt: day } }, { due: { _null: true } }], status: { _nin: some } },
          sort: ['due', '-priority'],
          page,
          per_page: pageSize,
        },
        lists: {
          matches: (row) => (row.due === null || row.due < day) && !some.includes(row.status),
          order: [
            ['due', 'up'],
            ['priority', 'down'],
          ],
          page,
        },
      }
    },
  },
  {
    name: '5a title contains, 5 % match',
    kind: 'texts',
    isMeasuredCold: true,
    ask: (n, world) => titleContains(firstPage(n, world), oneOf(twentiethWords, n, 56).toLowerCase()),
  },
  {
    name: '5b title contains, all match',
    kind: 'texts',
    isHeavy: true,
    ask: (n, world) =>
      titleContains(firstPage(n, world), oneOf(['request', 'REQUEST', 'Quest', 'eques', 'request k'], n, 57)),
  },
  { name: '5c title contains, none matches', kind: 'texts', ask: (n) => titleContains(1, `qy${n.toString(36)}`) },
  {
    name: '6 a week of created_at, sort -amount',
    kind: 'values',
    ask: (n, world) => {
      const { callTimes } = world
      const calls = callTimes.length - 1
      const week = Math.ceil(calls / 20)
      const [from, page] = [below(calls - week + 1, n, 58), firstPage(n, world, 5)]
      return {
        body: {
          filter: { created_at: { _gte: callTimes[from], _lt: callTimes[from + week] } },
          sort: ['-amount'],
          page,
          per_page: pageSize,
        },
        lists: {
          matches: ({ importCall = -1 }) => importCall >= from && importCall < from + week,
          order: [['amount', 'down']],
          page,
        },
      }
    },
  },
]
