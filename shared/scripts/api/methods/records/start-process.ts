import * as z from 'zod'
import { recordId, tableName } from '../arguments.ts'
import { apiMethod } from '../method.ts'

export const startProcess = apiMethod('startProcess(code, table, id)', [z.string().min(1), tableName, recordId], {
  declaration: `/** Starts a process for a record, and answers the id of the instance. Not in before hooks. */
  startProcess<T extends TableName>(code: string, table: T, id: number): number`,
  writes: true,
  // The same key when the run is repeated after a crash, so that nothing starts twice.
  run: ({ records, source, next }, code, table, id) =>
    records.startProcess(code, table, id, `${source.runId}#${next()}`),
})
