import type { FieldErrors } from '../kernel/faults.ts'
import type { RowRule } from '../kernel/permissions.ts'
import { checkFilter } from '../query/service.ts'
import { ErrorList, type Table } from '../tables/service.ts'

type FindTable = (name: string) => Promise<Table | undefined>

/** All roles are read again after every change of configuration, so their rules must stay small. */
const maxBytes = 100 * 1024

/** The errors of rules against the current tables, by path: `rules.0.table`, `rules.0.filter.priority`. */
export async function checkRules(find: FindTable, rules: readonly RowRule[], path: string): Promise<FieldErrors> {
  const list = new ErrorList()
  if (Buffer.byteLength(JSON.stringify(rules)) > maxBytes) list.add(path, `The ${path} may not be larger than 100 KB.`)
  for (const [index, { table: name, filter }] of rules.entries()) {
    const table = await find(name)
    if (!table) {
      list.add(`${path}.${index}.table`, `The selected ${path}.${index}.table is invalid.`)
      continue
    }
    await checkFilter(find, table, filter, list, `${path}.${index}.filter`)
  }
  return list.errors
}
