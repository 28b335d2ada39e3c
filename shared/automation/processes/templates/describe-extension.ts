import { Forbidden, Invalid } from '../../../kernel/failures/faults.ts'
import { mayOnTable, permittedFields } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { wfDescriptor } from '../definition/read/wf-descriptor.ts'

/**
 * The moddle descriptor of the `wf:` namespace for editors. With a table its task attributes include
 * `complete_on_field_<field>` for the fields that the caller may read. Throws Invalid for an unknown table, Forbidden
 * for one that the caller may not read.
 */
export async function describeExtension(
  { tables }: { readonly tables: Pick<Tables, 'find'> },
  caller: Caller,
  name: string | undefined,
) {
  if (name === undefined) return wfDescriptor
  if (!mayOnTable(caller, name, 'read')) throw new Forbidden('forbidden', `You may not read the table ${name}.`)
  const table = await tables.find(caller.tenant, name)
  if (!table) throw new Invalid({ table: [`There is no table ${name}.`] })
  const readable = permittedFields(caller, name, 'read')
  const attributes = table.table_fields
    .filter((field) => readable?.has(field.name) !== false)
    .map((field) => ({ name: `complete_on_field_${field.name}`, isAttr: true as const, type: 'String' }))
  return {
    ...wfDescriptor,
    types: wfDescriptor.types.map((type) =>
      type.name === 'TaskProps' ? { ...type, properties: [...type.properties, ...attributes] } : type,
    ),
  }
}
