import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { TargetModel } from './schema.ts'

/** The tables in which a caller may create records, with the fields that the caller may set. */
export async function listTargetModels(
  { tables }: { readonly tables: Pick<Tables, 'all'> },
  caller: Caller,
  query: ListQuery,
): Promise<Page<TargetModel>> {
  const all = await tables.all(caller.tenant)
  const mayFill = all.filter(({ name }) => mayOnTable(caller, name, 'create'))
  const page = pageOfWholeList('models', mayFill, query, ({ id, name, label }) => ({ id, model_class: name, label }))
  const items = page.items.map(({ name, label, table_fields }) => {
    const writable = permittedFields(caller, name, 'create')
    return {
      model_class: name,
      label,
      fields: table_fields
        .filter((field) => writable?.has(field.name) ?? true)
        .map((field) => ({ name: field.name, type: field.type })),
    }
  })
  return { ...page, items }
}
