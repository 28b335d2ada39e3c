import type { Caller } from '../../../kernel/principal.ts'
import type { ListQuery } from '../../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { createRecordForms } from '../../../records/records/form/create-record-forms.ts'
import type { RecordForm } from '../../../records/records/schema.ts'
import { conditionIsAbout, defaultsFor, type PortalItem } from '../../portal-items/portal-item.ts'
import { findItemFor, itemsFor } from '../../portal-items/portal-items.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { OfferedItem } from '../schema.ts'

/** The conditions of a field that clients follow while somebody types. */
const conditions = ['visible_if', 'required_if', 'readonly_if'] as const

/**
 * What the form of an item needs: as that of a new record, with the fields of the item alone, in its order. A condition
 * that names other fields is left out: what it says of a new record is in `visible`, `required` and `readonly`. Throws
 * NotFound.
 */
export async function describeItemForm(services: PortalDependencies, caller: Caller, id: number): Promise<RecordForm> {
  const item = await findItemFor(services, caller, id)
  const table = await services.records.tables.require(caller.tenant, item.model)
  const fields = new Set(item.fields)
  const form = await createRecordForms(services.records).describeNew(caller, table, {
    fields,
    given: defaultsFor(table, item, caller.userId),
  })
  const byName = new Map(form.fields.map((field) => [field.name, field]))
  return {
    ...form,
    label: item.name,
    fields: item.fields.flatMap((name) => {
      const field = byName.get(name)
      if (!field) return []
      const hidden = conditions.filter((condition) => !conditionIsAbout(fields, field.settings[condition]))
      const settings = Object.entries(field.settings).filter(([setting]) => !hidden.some((one) => one === setting))
      return [{ ...field, settings: Object.fromEntries(settings) }]
    }),
  }
}

/** An item as people see it who may send it. */
export const describeItem = ({ id, name, description, category, icon, position }: PortalItem): OfferedItem => ({
  id,
  name,
  description,
  category,
  icon,
  position,
})

/** The items that the caller may send, by position. */
export async function listItems(
  services: Pick<PortalDependencies, 'config'>,
  caller: Caller,
  query: ListQuery,
): Promise<Page<OfferedItem>> {
  return pageOfWholeList('items', (await itemsFor(services, caller)).map(describeItem), query)
}
