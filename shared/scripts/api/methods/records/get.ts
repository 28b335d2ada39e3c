import { recordId, tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const get = apiMethod('get(table, id)', [tableName, recordId], {
  declaration: `get<T extends TableName>(table: T, id: number): RecordOf<T> | false`,
  run: ({ records }, table, id) => records.get(table, id),
})
