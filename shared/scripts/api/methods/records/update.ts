import { recordData, recordId, tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const update = apiMethod('update(table, id, data)', [tableName, recordId, recordData], {
  declaration: `update<T extends TableName>(table: T, id: number, data: Partial<Tables[T]>): RecordOf<T>`,
  writes: true,
  run: ({ records }, table, id, data) => records.update(table, id, data),
})
