import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { maxRenameFollowers } from '../../../kernel/limits/tables.ts'
import type { ConfigRow } from '../../../platform/store/config.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { RolledTable } from '../checks/check-rollups.ts'
import type { Field, TableChange } from '../schema.ts'
import { readStoredTable, type StoredTable, type Table } from '../table.ts'
import { planRenames, type Renames } from './plan-renames.ts'
import { renameFields, renameInRollups, renameInRules, renamesOf } from './rename-fields.ts'

type Given = Partial<Pick<TableChange, 'title_field'>> & { readonly table_fields?: Field[] }

/** A change of a table after its renames were made. The rest of it is then checked and stored like a change without renames. */
export interface RenamedTable {
  /** The table as if its fields had always had the names that the change gives them. */
  readonly before: Table
  readonly renames: Renames
  /** `renamed` of the table after the change. */
  readonly formerNames: Readonly<Record<string, string>>
  readonly errors: FieldErrors
  /** What the change gives, without `renamed_from`. Rules in it that name a field as it was called follow. */
  readonly given: Given
}

/** Makes the renames of a change. Nothing else is checked. */
export async function applyRenames(
  was: Table,
  row: ConfigRow,
  { table_fields, title_field }: Pick<TableChange, 'table_fields' | 'title_field'>,
): Promise<RenamedTable> {
  if (!table_fields) return { before: was, renames: new Map(), formerNames: was.renamed ?? {}, errors: {}, given: {} }
  const { renames, renamed: formerNames, errors, ...planned } = planRenames(was, table_fields)
  if (errors.any)
    return {
      before: was,
      renames: new Map(),
      formerNames,
      errors: errors.problems,
      given: { table_fields: planned.table_fields },
    }
  const names = new Set(table_fields.map(({ name }) => name))
  // A former name that another field has now means that one. Renames that were made before count: a document may be sent again.
  const free = new Map(
    table_fields.flatMap(({ name, renamed_from: former }) =>
      former === undefined || names.has(former) ? [] : [[former, name] as const],
    ),
  )
  const own = renamesOf(was, free, new Map([[was.name, { table_fields: was.table_fields }]]))
  return {
    before: await renameFields(was, readStoredTable(row), renames),
    renames,
    formerNames,
    errors: errors.problems,
    given: {
      table_fields: [...renameInRollups(await renameInRules(planned.table_fields, free), own)],
      ...(title_field && { title_field: free.get(title_field) ?? title_field }),
    },
  }
}

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
