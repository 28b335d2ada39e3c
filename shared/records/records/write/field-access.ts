import { isDeepStrictEqual } from 'node:util'
import { permittedFields } from '../../../kernel/permissions.ts'
import { referencedTable, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordData } from '../record-item.ts'

/** What field rules leave to the sender of a request. A set that is missing limits nothing. */
export interface FieldAccess {
  readonly readable?: ReadonlySet<string>
  readonly writable?: ReadonlySet<string>
}

export const fieldAccess = (actor: Actor, table: string, action: 'create' | 'update'): FieldAccess => ({
  readable: permittedFields(actor, table, 'read'),
  writable: permittedFields(actor, table, action),
})

export const mayRead = ({ readable }: FieldAccess, field: string): boolean => readable?.has(field) ?? true
export const mayWrite = ({ writable }: FieldAccess, field: string): boolean => writable?.has(field) ?? true

/**
 * Whether the sender may send this value. A record may be sent back as it was read, so the value that a readable field
 * already has is no change; of a hidden field that would confirm a guess.
 */
export const maySend = (access: FieldAccess, field: string, value: unknown, before: RecordData | undefined): boolean =>
  mayWrite(access, field) ||
  (before !== undefined && mayRead(access, field) && isDeepStrictEqual(before[field] ?? null, value))

/** What every write of a table asks of its fields, worked out once: an import writes thousands of rows. */
interface FieldPlan {
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
