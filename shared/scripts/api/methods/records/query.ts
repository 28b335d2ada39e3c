import * as z from 'zod'
import { maxScriptRows } from '../../../../kernel/limits/scripts.ts'
import { tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

const asked = z.strictObject({
  filter: z.unknown().optional(),
  sort: z.unknown().optional(),
  limit: z.int().min(1).max(maxScriptRows).nullish(),
  search: z.string().nullish(),
})

export const query = apiMethod('query(table, {filter, sort, limit, search})', [tableName, asked.nullish()], {
  declaration: `/** At most 1,000 records, 100 unless \`limit\` says otherwise. */
  query<T extends TableName>(table: T, query?: Query): RecordOf<T>[]`,
  types: `interface Query {
  /** As in list-server: \`{ status: { _eq: 'open' } }\`, or short \`{ status: 'open' }\`. */
  filter?: object
  sort?: string | string[]
  limit?: number
  search?: string
}`,
  run: ({ records }, table, given) =>
    records.query(table, { ...given, limit: given?.limit ?? 100, search: given?.search ?? undefined }),
})
