import { Invalid } from '../../../../kernel/failures/faults.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { taskKey } from '../../../../platform/store/keys/processes.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { changeRecord } from '../../../../records/records/write/change-record.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import { needsOwnRight } from '../../people/task-rights.ts'
import type { Task } from '../../rows/task-row.ts'
import type { CheckedCompletion } from './check-completion.ts'

/**
 * Writes the bound fields to the record, in one transaction with the writes of their task. Writes nothing and returns
 * false when the record has these values already. Throws Invalid with paths as `data.<name>`.
 */
export async function writeFields(
  services: Pick<AdvanceDependencies, 'store' | 'tables' | 'records'>,
  caller: Caller,
  task: Task,
  fields: CheckedCompletion['fields'],
  ofTask: readonly Write[],
  writeId: string,
): Promise<boolean> {
  if (Object.keys(fields).length === 0) return false
  const { store, tables, records } = services
  const { tenant } = caller
  const { id, model, recordId, form } = task
  const table = await tables.require(tenant, model)
  // To whom the template or an administrator gives the task, it gives the right to write bound fields. Others need their own.
  const permit = needsOwnRight(task)
    ? { permit: (item: Item | null | undefined) => records.access.require(caller, model, recordId, 'update', item) }
    : { withoutFieldRules: true }
  try {
    await changeRecord(records, { ...caller, source: 'process' }, table, recordId, fields, {
      extraWrites: ofTask,
      ...permit,
    })
  } catch (error) {
    if (!(error instanceof Invalid) || Object.keys(error.errors).length === 0) throw error
    const pathByField = new Map(
      form.flatMap(({ name, bind }) => (bind === undefined ? [] : [[bind, `data.${name}`] as const])),
    )
    throw error.withErrors(
      Object.fromEntries(
        Object.entries(error.problems).map(([path, messages]) => [pathByField.get(path) ?? path, messages]),
      ),
    )
  }
  return (await store.get(tenant, taskKey(tenant, id)))?.write_id === writeId
}
