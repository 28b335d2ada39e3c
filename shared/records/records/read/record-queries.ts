import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxScriptRows } from '../../../kernel/limits/scripts.ts'
import type { Row } from '../../../lists/query/read/row.ts'
import type { Queries } from '../../../lists/query/service.ts'
import type { FlatRecord } from '../../../scripts/api/record-access.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { flatRecord, type RecordQueries } from '../hooks/script-records.ts'
import { readRecord } from '../record-item.ts'

const defaultLimit = 100

/**
 * `$api.query` and `$api.count`, in the grammar of `list-server`. The actor is an administrator, because the user's
 * permissions do not limit scripts (contract §5).
 */
export function recordQueries({ tables }: Pick<RecordDependencies, 'tables'>, queries: Queries): RecordQueries {
  return {
    async query(actor, model, { filter, sort, limit = defaultLimit, search }) {
      if (!Number.isInteger(limit) || limit < 1) throw new Invalid({ limit: ['The limit must be a positive integer.'] })
      const table = await tables.require(actor.tenant, model)
      const query = await queries.parse(actor, table, { filter, sort: sortNames(sort), search })
      const { rows } = await queries.page(actor.tenant, table, query, {
        offset: 0,
        limit: Math.min(limit, maxScriptRows),
      })
      return rows.map((row) => flat(table, row))
    },
    async count(actor, model, filter) {
      const table = await tables.require(actor.tenant, model)
      const query = await queries.parse(actor, table, { filter })
      return queries.count(actor.tenant, table, query)
    },
  }
}

function sortNames(sort: unknown): string[] | undefined {
  if (sort === undefined || sort === null) return undefined
  if (typeof sort === 'string') return sort.split(',')
  if (Array.isArray(sort) && sort.every((name) => typeof name === 'string')) return sort
  throw new Invalid({ sort: ['The sort must be a string or an array of strings.'] })
}

const flat = (table: Table, { item }: Row): FlatRecord =>
  flatRecord(table, readRecord(item, table) as NonNullable<ReturnType<typeof readRecord>>)
