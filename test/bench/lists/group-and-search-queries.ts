import { pageSize, type ModelRow } from '../world/model.ts'
import { categories } from '../world/request-record.ts'
import { below, oneOf, rareWord, tenthWords } from '../world/words.ts'
import { firstPage, type ListAsk, type ListQuery } from './list-query.ts'

const otherCategory = (n: number) => {
  const category = oneOf(categories, n, 93)
  return { filter: { category: { _neq: category } }, matches: (row: ModelRow) => row.category !== category }
}

/** Every word must occur; one in the title counts more than one in the body. */
function searchFor(page: number, words: readonly string[]): ListAsk {
  const weightOf = (word: string, { title, mention }: ModelRow): number =>
    (` ${title.toLowerCase()} `.includes(` ${word} `) ? 3 : 0) + (mention === word ? 1 : 0)
  return {
    body: { search: words.join(' '), page, per_page: pageSize },
    lists: {
      matches: (row) => words.every((word) => weightOf(word, row) > 0),
      scoreOf: (row) => words.reduce((sum, word) => sum + weightOf(word, row), 0),
      page,
    },
  }
}

export const groupAndSearchQueries: readonly ListQuery[] = [
  {
    name: '7 count, avg(priority) by status',
    kind: 'values',
    ask: (n) => {
      const { filter, matches } = otherCategory(n)
      return {
        body: { filter, group_by: ['status'], aggregate: { count: '*', avg: ['priority'] }, per_page: pageSize },
        groups: { matches, by: 'status', measured: 'priority', page: 1 },
      }
    },
  },
  {
    name: '8 sum, min, max(amount) by client',
    kind: 'texts',
    isHeavy: true,
    ask: (n, world) => {
      const { filter, matches } = otherCategory(n)
      const page = firstPage(n, world)
      return {
        body: {
          filter,
          group_by: ['client_id'],
          aggregate: { count: '*', sum: ['amount'], min: ['amount'], max: ['amount'] },
          page,
          per_page: pageSize,
        },
        groups: { matches, by: 'client_id', measured: 'amount', page },
      }
    },
  },
  {
    name: '9 search of two common words',
    kind: 'search',
    isHeavy: true,
    ask: (n, world) => searchFor(firstPage(n, world), [oneOf(tenthWords, n, 59), 'request']),
  },
  {
    name: '10 search of a rare word',
    kind: 'values',
    ask: (n, { surroundings }) => searchFor(1, [rareWord(below(surroundings.rareWords, n, 60))]),
  },
]
