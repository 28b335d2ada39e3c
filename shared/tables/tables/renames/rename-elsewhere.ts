import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxRenameFollowers } from '../../../kernel/limits/tables.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { RolledTable } from '../checks/check-rollups.ts'
import type { StoredTable, Table } from '../table.ts'
import type { Renames } from './plan-renames.ts'
import { renameInRollups, renamesOf } from './rename-fields.ts'

/** The other tables, whose rollups have the new names. */
export const withRenames = (was: Table, renames: Renames, tables: readonly Table[]): readonly RolledTable[] => {
  const change = renamesOf(was, renames, tablesByName(tables))
  return tables
    .filter(({ name }) => name !== was.name)
    .map((table) =>
      renames.size === 0 ? table : { ...table, table_fields: renameInRollups(table.table_fields, change) },
    )
}

export const tablesByName = (tables: readonly Table[]): ReadonlyMap<string, Table> =>
  new Map(tables.map((table) => [table.name, table]))

/** Throws Invalid when one transaction cannot hold the rows that follow a rename. */
export function requireRoom(following: readonly Write[], others: readonly Write[]): void {
  if (following.length > maxRenameFollowers)
    throw new Invalid({
      table_fields: [
        `The rename changes ${following.length} tables, roles, views, subscriptions and rules that name the field, and at most ${maxRenameFollowers} change at once. Remove some of them first.`,
      ],
    })
  const keyOf = (write: Write): string => ('put' in write ? `${write.put.pk} ${write.put.sk}` : '')
  const taken = new Set(following.map(keyOf))
  if (others.some((write) => taken.has(keyOf(write))))
    throw new Invalid({
      table_fields: ['A new rollup and a rename change the same other table. Make them in two changes.'],
    })
}

/** Renames of a table that are kept; a private view that was saved before all of them is read with these. */
const maxLoggedRenames = 200

export function loggedRenames(
  before: StoredTable['rename_log'] = [],
  renames: Renames,
  made: { readonly version: number; readonly at: string },
): Pick<StoredTable, 'rename_log'> {
  const after = renames.size === 0 ? before : [...before, { ...made, renames: Object.fromEntries(renames) }]
  return after.length === 0 ? {} : { rename_log: after.slice(-maxLoggedRenames) }
}
