import { isDeepStrictEqual } from 'node:util'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { maxRowRuleBytes } from '../../kernel/limits/accounts.ts'
import type { RowRule } from '../../kernel/permissions.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { checkFilter } from '../../lists/query/grammar/check-filter.ts'
import { ErrorList } from '../../tables/tables/error-list.ts'
import type { Table } from '../../tables/tables/table.ts'

/** The errors of rules against the current tables, by path: `rules.0.table`, `rules.0.filter.priority`. */
export async function checkRules(
  tables: ReadonlyMap<string, Table>,
  rules: readonly RowRule[],
  path: string,
  before: readonly RowRule[],
): Promise<FieldErrors> {
  const list = new ErrorList()
  if (Buffer.byteLength(JSON.stringify(rules)) > maxRowRuleBytes)
    list.add(path, `The ${path} may not be larger than 100 KB.`)
  for (const [index, rule] of rules.entries()) {
    const { table: name, filter } = rule
    // It was checked when it was added; a table, a field or an option may be gone since.
    if (before.some((earlier) => isDeepStrictEqual(earlier, rule))) continue
    const table = tables.get(name)
    const at = `${path}.${index}.table`
    if (table) await checkFilter(async (other) => tables.get(other), table, filter, list, `${path}.${index}.filter`)
    else
      list.add(
        at,
        `The selected ${at.replace(/^\d+\./, '')} is invalid: there is no table ${name}.${didYouMean(name, tables.keys())}`,
      )
  }
  return list.errors
}
