import * as z from 'zod'
import { tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const count = apiMethod('count(table, filter)', [tableName, z.unknown()], {
  declaration: `count<T extends TableName>(table: T, filter?: object): number`,
  run: ({ records }, table, filter) => records.count(table, filter),
})
