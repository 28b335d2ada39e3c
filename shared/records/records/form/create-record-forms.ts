import { Forbidden, NotFound } from '../../../kernel/failures/faults.ts'
import { mayOnTable, permittedFields, type TableAction } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { tableAsSeen } from '../../../lists/query/conditions/table-as-seen.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { readRecord, type RecordData, type StoredRecord, visibleData } from '../record-item.ts'
import { openRules } from '../rules/open-rules.ts'
import { initialValue } from '../write/check-fields.ts'
import type { FieldAccess } from '../write/field-access.ts'
import { formFields, openTransitions, type Shown } from './describe-form.ts'
import type { RecordForm } from './schema.ts'

type FormDependencies = Pick<RecordDependencies, 'store' | 'tables' | 'access' | 'conditions' | 'clock'>

/**
 * Describes what forms of records need, for whoever fills them in. A condition that names a field hidden from the caller
 * decides nothing here, as records that differ in that field alone have the same form; writes are checked against it.
 */
export function createRecordForms(services: FormDependencies) {
  /**
   * The form of a record, or without an id of a new one. Throws NotFound for a record that does not exist or that the
   * caller may not see, Forbidden without the permission to read, or to create.
   */
  async function describe(caller: Caller, model: string, id: number | undefined): Promise<RecordForm> {
    requirePermission(caller, model, id === undefined ? 'create' : 'read')
    const table = await services.tables.require(caller.tenant, model)
    const seen = await tableAsSeen(caller, table)
    return id === undefined
      ? newForm(caller, table, createAccess(caller, table), { seen })
      : formOf(caller, table, seen, id)
  }

  async function newForm(
    caller: Caller,
    table: Table,
    access: FieldAccess,
    { given = {}, seen = table }: { readonly given?: RecordData; readonly seen?: Table },
  ): Promise<RecordForm> {
    const rules = await openRules(services, caller, table)
    const preset = Object.fromEntries(
      table.table_fields.flatMap((field) => {
        const value = initialValue(field, rules)
        return value === undefined ? [] : [[field.name, value]]
      }),
    )
    const initial = { ...preset, ...given }
    const data = rules?.complete(initial) ?? initial
    return answer(caller, { table: seen, data, isNew: true, rules, access }, undefined)
  }

  async function formOf(caller: Caller, table: Table, seen: Table, id: number): Promise<RecordForm> {
    const { tenant } = caller
    const item = await services.store.get(tenant, recordKey(tenant, table.name, id))
    await services.access.require(caller, table.name, id, 'read', item)
    const record = readRecord(item, table)
    if (!record) throw new NotFound('record', { model: table.name, id })
    const [mayUpdate] = await services.access.permitted(caller, table.name, 'update', [item])
    const access: FieldAccess = {
      readable: readableFields(caller, table),
      writable: mayUpdate ? permittedFields(caller, table.name, 'update') : new Set(),
    }
    const rules = await openRules(services, caller, table, record)
    return answer(caller, { table: seen, data: record.data, isNew: false, rules, access }, record)
  }

  /**
   * The form of a new record over some fields of its table, for a caller whom something else than a permission allows to
   * make it. `given`: values that it has beside the defaults.
   */
  const describeNew = (
    caller: Caller,
    table: Table,
    { fields, given }: { readonly fields: ReadonlySet<string>; readonly given: RecordData },
  ): Promise<RecordForm> => newForm(caller, table, { readable: fields, writable: fields }, { given })

  return { describe, describeNew }
}

function answer(caller: Caller, shown: Shown, record: StoredRecord | undefined): RecordForm {
  const { table, data, access } = shown
  return {
    model: table.name,
    label: table.label,
    id: record?.id ?? null,
    version: record?.version ?? null,
    fields: formFields(shown),
    transitions: openTransitions(shown, caller),
    data: visibleData(table, data as RecordData, access.readable),
  }
}

const readableFields = (caller: Caller, { name }: Table) => permittedFields(caller, name, 'read')

const createAccess = (caller: Caller, table: Table): FieldAccess => ({
  readable: readableFields(caller, table),
  writable: permittedFields(caller, table.name, 'create'),
})

function requirePermission(caller: Caller, model: string, action: TableAction): void {
  if (!mayOnTable(caller, model, action))
    throw new Forbidden('forbidden', `You need the permission ${model}.${action}.`)
}
