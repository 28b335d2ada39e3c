import { recordId, tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const get = apiMethod('get(table, id)', [tableName, recordId], {
  declaration: `/** The record, or the one that it was merged into; false when there is none. */
  get<T extends TableName>(table: T, id: number): RecordOf<T> | false`,
  run: ({ records }, table, id) => records.get(table, id),
})
