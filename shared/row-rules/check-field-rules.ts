import type { FieldErrors } from '../kernel/faults.ts'
import type { FieldRules } from '../kernel/permissions.ts'
import { nearestWord } from '../kernel/text/nearest-word.ts'
import { standardFieldsByName } from '../query/service.ts'
import { ErrorList, type Table } from '../tables/service.ts'

/** All roles are read again after every change of configuration, so their rules must stay small. */
const maxBytes = 100 * 1024

/**
 * The errors of field rules against the current tables, by path: `fields.requests`, `fields.requests.read.1`. `tables`:
 * all tables by name.
 */
export function checkFieldRules(
  tables: ReadonlyMap<string, Pick<Table, 'fieldsByName'>>,
  rules: FieldRules,
  path: string,
): FieldErrors {
  const list = new ErrorList()
  if (Buffer.byteLength(JSON.stringify(rules)) > maxBytes) list.add(path, `The ${path} may not be larger than 100 KB.`)
  for (const [name, limits] of Object.entries(rules)) {
    const table = tables.get(name)
    if (!table) {
      list.add(`${path}.${name}`, `There is no table ${name}.${advice(name, tables.keys())}`)
      continue
    }
    for (const member of ['read', 'write'] as const)
      limits[member]?.forEach((field, index) => {
        if (table.fieldsByName.has(field)) return
        list.add(
          `${path}.${name}.${member}.${index}`,
          standardFieldsByName.has(field)
            ? `The field ${field} can always be read and never be set: leave it out.`
            : `There is no field ${field} in ${name}.${advice(field, table.fieldsByName.keys())}`,
        )
      })
  }
  return list.errors
}

function advice(word: string, known: Iterable<string>): string {
  const nearest = nearestWord(word, known)
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}
