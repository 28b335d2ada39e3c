import { own } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { maxFieldRuleBytes } from '../../kernel/limits/accounts.ts'
import type { FieldRules } from '../../kernel/permissions.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { standardFieldsByName } from '../../lists/query/grammar/field.ts'
import { ErrorList } from '../../tables/tables/error-list.ts'
import type { Table } from '../../tables/tables/table.ts'

/**
 * The errors of field rules against the current tables, by path: `fields.requests`, `fields.requests.read.1`. `tables`:
 * all tables by name.
 */
export function checkFieldRules(
  tables: ReadonlyMap<string, Pick<Table, 'fieldsByName'>>,
  rules: FieldRules,
  path: string,
  before: FieldRules,
): FieldErrors {
  const list = new ErrorList()
  if (Buffer.byteLength(JSON.stringify(rules)) > maxFieldRuleBytes)
    list.add(path, `The ${path} may not be larger than 100 KB.`)
  for (const [name, limits] of Object.entries(rules)) {
    const table = tables.get(name)
    // What was named before was checked then; it may be gone since.
    const known = own(before, name)
    if (!table) {
      if (known) continue
      list.add(`${path}.${name}`, `There is no table ${name}.${didYouMean(name, tables.keys())}`)
      continue
    }
    for (const member of ['read', 'write'] as const)
      limits[member]?.forEach((field, index) => {
        if (table.fieldsByName.has(field) || known?.[member]?.includes(field)) return
        list.add(
          `${path}.${name}.${member}.${index}`,
          standardFieldsByName.has(field)
            ? `The field ${field} can always be read and never be set: leave it out.`
            : `There is no field ${field} in ${name}.${didYouMean(field, table.fieldsByName.keys())}`,
        )
      })
  }
  return list.errors
}
