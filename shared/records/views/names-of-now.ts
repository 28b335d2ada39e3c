import type { Tenant } from '../../kernel/tenancy.ts'
import { referencedTable } from '../../tables/field-types/read-field.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { renameInFilter, renameInPath, type TableRenames } from '../../tables/tables/renames/rename-in-filter.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { View } from './view.ts'

type Reading = Pick<Tables, 'find'>

/** The table of a view, and those that its fields refer to, whose fields it may name by one step. */
async function namedTables(tables: Reading, tenant: Tenant, model: string): Promise<readonly Table[]> {
  const own = await tables.find(tenant, model)
  if (!own) return []
  const names = new Set(own.table_fields.map((field) => referencedTable(field)))
  names.delete(own.name)
  const targets = await Promise.all(
    [...names].map((name) => (name === undefined ? undefined : tables.find(tenant, name))),
  )
  return [own, ...targets.filter((table) => table !== undefined)]
}

/** The versions of the tables whose fields a view may name: with their words it is saved. */
export const versionsOf = async (tables: Reading, tenant: Tenant, model: string): Promise<Record<string, number>> =>
  Object.fromEntries((await namedTables(tables, tenant, model)).map(({ name, version }) => [name, version]))

/**
 * A private view with the names that fields have now. Views of others are not written when a field is renamed, since nobody
 * knows how many there are; each is read with the renames since it was saved, one after the other, so that fields that have
 * swapped their names are not mistaken for each other.
 */
export async function withNamesOfNow(tables: Reading, tenant: Tenant, view: View): Promise<View> {
  const [own, ...targets] = await namedTables(tables, tenant, view.model)
  if (!own) return view
  const since = [own, ...targets]
    .flatMap((table) =>
      (table.rename_log ?? []).filter((one) => isSince(view, table, one)).map((one) => ({ table: table.name, ...one })),
    )
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.version - b.version))
  return since.reduce((read, { table, renames }, index) => {
    const later = since.slice(index).filter((one) => one.table === own.name)
    const nowCalled = (name: string): string => later.reduce((called, one) => one.renames[called] ?? called, name)
    return renamed(read, {
      table,
      renames: new Map(Object.entries(renames)),
      targetOf(from, field) {
        const found = from === own.name ? own.fieldsByName.get(nowCalled(field)) : undefined
        return found && referencedTable(found)
      },
    })
  }, view)
}

/** Whether a rename came after a view was saved. One that was saved before versions were kept has its time alone. */
function isSince(
  { checkedWith, updatedAt = '' }: View,
  table: Table,
  { version, at }: { readonly version: number; readonly at: string },
): boolean {
  const saved = checkedWith?.[table.name]
  return saved === undefined ? at > updatedAt : version > saved
}

function renamed(view: View, change: TableRenames): View {
  const inPaths = (paths: readonly string[]): readonly string[] =>
    paths.map((path) => renameInPath(change, view.model, path))
  return {
    ...view,
    columns: inPaths(view.columns),
    filter: view.filter && renameInFilter(change, view.model, view.filter),
    sort: view.sort && inPaths(view.sort),
    groupBy: view.groupBy && inPaths(view.groupBy),
  }
}
