import type { NamesTables, RenamedTables } from '../../../kernel/table-names.ts'
import type { TenantChange } from '../config.ts'
import { readJson } from '../values/json-attribute.ts'
import type { Item } from '../values/marshal.ts'
import { and, equals, exists, lacks } from '../writes/conditions.ts'

/*
 * The names of renamed tables are an attribute of the tenant's row, which every request reads: a tenant without such a
 * table pays nothing, and every instance knows a new name with the next request.
 */

const attribute = 'renamed_tables'

/** The renamed tables in the row of a tenant. */
export const readRenamedTables = (item: Item): NamesTables =>
  item[attribute] === undefined ? {} : { renamedTables: readJson<RenamedTables>(item, attribute) }

/** The change of a tenant's row from one state of its names to another, on condition that nobody changed them meanwhile. */
export function changeRenamedTables(item: Item, after: RenamedTables | undefined): TenantChange {
  const before = item[attribute]
  return {
    ...(after ? { set: { [attribute]: JSON.stringify(after) } } : before !== undefined && { remove: [attribute] }),
    if: and(exists, before === undefined ? lacks(attribute) : equals(attribute, String(before))),
  }
}
