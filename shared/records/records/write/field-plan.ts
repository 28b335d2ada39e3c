import { referencedTable, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'

/** What every write of a table asks of its fields, worked out once: an import writes thousands of rows. */
export interface FieldPlan {
  readonly fields: readonly { readonly field: Field; readonly type: ReturnType<typeof typeOfField> }[]
  /** Those that a new record must have. Nobody has to send what follows from the id. */
  readonly required: readonly Field[]
  /** Those whose values follow from the id. */
  readonly generated: readonly Field[]
  /** Names of those that refer to records or people. */
  readonly referring: ReadonlySet<string>
  readonly hasFiles: boolean
}

/** Tables live as long as the configuration that they were read from. */
const known = new WeakMap<Table, FieldPlan>()

export function fieldPlan(table: Table): FieldPlan {
  const before = known.get(table)
  if (before) return before
  const fields = table.table_fields.map((field) => ({ field, type: typeOfField(field) }))
  const generated = fields.filter(({ type }) => type.generate).map(({ field }) => field)
  const plan: FieldPlan = {
    fields,
    required: table.table_fields.filter((field) => field.required === true && !generated.includes(field)),
    generated,
    referring: new Set(
      fields
        .filter(({ field, type }) => type.refersToPeople || referencedTable(field) !== undefined)
        .map(({ field }) => field.name),
    ),
    hasFiles: fields.some(({ type }) => type.files !== undefined),
  }
  known.set(table, plan)
  return plan
}
