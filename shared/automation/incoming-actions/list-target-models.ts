import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tables } from '../../tables/tables/service.ts'
import type { TargetModel } from './schema.ts'

/** The tables in which a caller may create records, with the fields that the caller may set. */
export async function listTargetModels(
  { tables }: { readonly tables: Pick<Tables, 'all'> },
  caller: Caller,
): Promise<TargetModel[]> {
  const all = await tables.all(caller.tenant)
  return all
    .filter(({ name }) => mayOnTable(caller, name, 'create'))
    .map(({ name, label, table_fields }) => {
      const writable = permittedFields(caller, name, 'create')
      return {
        model_class: name,
        label,
        fields: table_fields
          .filter((field) => writable?.has(field.name) ?? true)
          .map((field) => ({ name: field.name, type: field.type })),
      }
    })
}
