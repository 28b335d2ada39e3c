import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import type { ConfigRow } from '../../../platform/store/config.ts'
import type { Field, TableChange } from '../schema.ts'
import { readStoredTable, type Table } from '../table.ts'
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
      errors: errors.errors,
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
    errors: errors.errors,
    given: {
      table_fields: [...renameInRollups(await renameInRules(planned.table_fields, free), own)],
      ...(title_field && { title_field: free.get(title_field) ?? title_field }),
    },
  }
}
