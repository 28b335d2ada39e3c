import { recordData, tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const create = apiMethod('create(table, data)', [tableName, recordData], {
  declaration: `/** Not in before hooks, as update and remove. */
  create<T extends TableName>(table: T, data: Partial<Tables[T]>): RecordOf<T>`,
  writes: true,
  run: ({ records }, table, data) => records.create(table, data),
})
