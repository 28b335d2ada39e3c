import { openPatterns, patternOf } from '../../field-types/patterns.ts'
import type { ErrorList } from '../error-list.ts'
import type { Field } from '../schema.ts'
import { readTable, type Table } from '../table.ts'

/** Adds the errors of the conditions and variables of a table. Injected, because their grammar is that of lists. */
export type CheckConditions = (table: Table, list: ErrorList) => void

/** Checks the rules of fields that need more than the field: patterns, conditions, and variables in defaults. */
export async function checkFieldRules(
  checkConditions: CheckConditions,
  { name, table_fields }: { readonly name: string; readonly table_fields: readonly Field[] },
  list: ErrorList,
): Promise<void> {
  checkConditions(
    readTable({
      name,
      version: 1,
      doc: { id: 0, label: '', title_field: null, table_fields, automations: [], retired: [] },
    }),
    list,
  )
  if (!table_fields.some((field) => patternOf(field))) return
  const patterns = await openPatterns()
  patterns.check(table_fields, list)
  for (const [index, field] of table_fields.entries()) {
    const at = `table_fields.${index}`
    if (typeof field.default !== 'string' || list.errors[`${at}.pattern.regex`]) continue
    const problem = patterns.problem(field, field.default)
    if (problem !== undefined) list.add(`${at}.default`, problem)
  }
}
