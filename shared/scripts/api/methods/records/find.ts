import * as z from 'zod'
import { tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const find = apiMethod('find(table, field, value)', [tableName, tableName, z.unknown()], {
  declaration: `/** The first record whose field holds the value, or the one that it was merged into; false when there is none. */
  find<T extends TableName>(table: T, field: keyof RecordOf<T> & string, value: unknown): RecordOf<T> | false`,
  run: async ({ records }, table, field, value) => {
    // A message without an address must not find a client without one.
    if (value === null || value === undefined) return false
    const [first] = await records.query(table, { filter: { [field]: { _eq: value } }, sort: ['id'], limit: 1 })
    return first ?? records.partOf(table, field, value)
  },
})
