import { recordId, tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const remove = apiMethod('remove(table, id)', [tableName, recordId], {
  declaration: `remove<T extends TableName>(table: T, id: number): null`,
  writes: true,
  run: async ({ records }, table, id) => {
    await records.remove(table, id)
    return null
  },
})
