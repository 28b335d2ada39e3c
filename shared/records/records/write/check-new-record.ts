import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData } from '../record-item.ts'
import { openRules } from '../rules/open-rules.ts'
import { checkNewFields } from './check-fields.ts'
import { requireReferences } from './check-references.ts'
import { collectErrors } from './collect-errors.ts'

/** What is wrong with the data of a new record, by field, without its hooks. Stores nothing. */
export async function checkNewRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  body: RecordData,
): Promise<FieldErrors> {
  try {
    const rules = await openRules(records, actor, table)
    const data = await collectErrors(records, actor, table, { body }, () => checkNewFields(table, body, rules))
    await requireReferences(records, actor.tenant, table, data, Object.keys(data), actor)
    return {}
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.problems
  }
}
