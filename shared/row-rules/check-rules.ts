import type { FieldErrors } from '../kernel/faults.ts'
import type { RowRule } from '../kernel/permissions.ts'
import { parseFilter, type Variables } from '../query/service.ts'
import { ErrorList, referencedTable, type Table } from '../tables/service.ts'

type FindTable = (name: string) => Promise<Table | undefined>

/** All roles are read again after every change of configuration, so their rules must stay small. */
const maxBytes = 100 * 1024

/** Arbitrary values: whether a filter is valid does not depend on them. */
const sampleVariables: Variables = { nowMs: Date.UTC(2026, 0, 1), timeZone: 'UTC', userId: 1, orgUnitIds: [] }

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
    const names = new Set(table.table_fields.flatMap((field) => referencedTable(field) ?? []))
    const targets = await Promise.all([...names].map(find))
    const fieldNames = {
      table,
      targets: new Map(targets.flatMap((target) => (target ? [[target.name, target] as const] : []))),
      mayRead: () => true,
    }
    parseFilter(filter, { fieldNames, variables: sampleVariables, list }, `${path}.${index}.filter`)
  }
  return list.errors
}
