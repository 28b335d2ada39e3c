import type { Renames } from './plan-renames.ts'

/** Which fields of which table are renamed. */
export interface TableRenames {
  readonly table: string
  readonly renames: Renames
  /** The table that a field refers to, by the names before. */
  targetOf(table: string, field: string): string | undefined
}

const nameIn = ({ table: renamedTable, renames }: TableRenames, table: string | undefined, name: string): string =>
  table === renamedTable ? (renames.get(name) ?? name) : name

/** A path of a field of a table, `client_id.name`, with the new names. A sort, `-name`, and a group, `at:month`, are paths too. */
export function renameInPath(change: TableRenames, table: string, path: string): string {
  const [, sign = '', names = '', rest = ''] = /^([-+]?)([^:]*)(.*)$/.exec(path) ?? []
  const [name = '', step, ...more] = names.split('.')
  const steps = step === undefined ? [] : [nameIn(change, change.targetOf(table, name), step), ...more]
  return sign + [nameIn(change, table, name), ...steps].join('.') + rest
}

/** A filter of a table's records with the new names of fields, its own and those of tables that it refers to. */
export function renameInFilter<T>(change: TableRenames, table: string | undefined, filter: T): T {
  if (Array.isArray(filter)) return filter.map((one) => renameInFilter(change, table, one)) as T
  if (table === undefined || typeof filter !== 'object' || filter === null) return filter
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]) =>
      key.startsWith('_')
        ? [key, combining.has(key) ? renameInFilter(change, table, value) : value]
        : [
            renameInPath(change, table, key),
            namesFields(value) ? renameInFilter(change, change.targetOf(table, key), value) : value,
          ],
    ),
  ) as T
}

const combining: ReadonlySet<string> = new Set(['_and', '_or', '_not'])

const namesFields = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).some((key) => !key.startsWith('_') || combining.has(key))
