import { pageSize } from '../world/model.ts'
import { clientName } from '../world/request-record.ts'
import { below, oneOf } from '../world/words.ts'
import { firstPage, type ListQuery } from './list-query.ts'

const all = (): boolean => true

/** Whole tables, deep pages, references and row rules. */
export const pageQueries: readonly ListQuery[] = [
  {
    name: '11 all, newest',
    kind: 'values',
    ask: (n, world) => {
      const page = firstPage(n, world)
      return { body: { page, per_page: pageSize }, lists: { matches: all, page } }
    },
  },
  {
    name: '12 all, sort title',
    kind: 'texts',
    isHeavy: true,
    ask: (n, world) => {
      const page = firstPage(n, world, 40)
      return {
        body: { sort: ['title'], page, per_page: pageSize },
        lists: { matches: all, order: [['title', 'up']], page },
      }
    },
  },
  {
    name: '13 priority ≥, sort -amount, offset 40 %',
    kind: 'values',
    ask: (n, { records }) => {
      const page = Math.max(1, Math.floor((records * 0.4) / pageSize) - below(50, n, 61))
      return {
        body: { filter: { priority: { _gte: 2 } }, sort: ['-amount'], page, per_page: pageSize },
        lists: { matches: (row) => row.priority >= 2, order: [['amount', 'down']], page },
      }
    },
  },
  {
    name: '14 pages by cursor, sort -amount',
    kind: 'values',
    cursorsOf: (page) => ({ filter: { urgent: true }, sort: ['-amount'], page, per_page: pageSize }),
    ask: (n, _, cursors) => {
      const { cursor, page } = oneOf(cursors, n, 62)
      return {
        body: { filter: { urgent: true }, sort: ['-amount'], cursor, per_page: pageSize },
        lists: { matches: (row) => row.urgent, order: [['amount', 'down']], page },
      }
    },
  },
  {
    name: '15 client_id.name =',
    kind: 'values',
    ask: (n, { surroundings: { clients } }) => {
      const number = below(clients.count, n, 63)
      return {
        body: { filter: { 'client_id.name': clientName(number) }, per_page: pageSize },
        lists: { matches: (row) => row.client_id === clients.first + number, page: 1 },
      }
    },
  },
  {
    name: '16 all that a row rule lets see, newest',
    kind: 'values',
    needsRules: true,
    ask: (n, world) => {
      const [desk, page] = [oneOf(world.desks, n, 64), firstPage(n, world)]
      return {
        body: { page, per_page: pageSize },
        token: desk.token,
        lists: { matches: (row) => row.company_id === desk.companyId || row.createdBy === desk.id, page },
      }
    },
  },
]
