import { wantsIndex } from './assign-slots.ts'
import type { TableInput } from './schema.ts'
import type { ErrorList, Table } from './table.ts'

/** What a new version of a table may not do to the records it holds (contract §2). */
export function checkChange(before: Table, input: TableInput, list: ErrorList): void {
  const retired = new Map(before.retired.map((field) => [field.name, field]))
  input.table_fields.forEach((field, index) => {
    const at = `table_fields.${index}`
    const current = before.fieldsByName.get(field.name)
    const earlier = current ?? retired.get(field.name)
    if (!earlier) return
    if (earlier.type !== field.type) {
      list.add(`${at}.type`, `The type of ${field.name} may not change from ${earlier.type} to ${field.type} while the table holds records.`)
      return
    }
    if (earlier.target_table !== field.target_table) {
      list.add(`${at}.target_table`, `The target of ${field.name} may not change while the table holds records.`)
    }
    if (!current && !before.slots.some((slot) => slot.field === field.name)) {
      if (field.indexed) list.add(`${at}.indexed`, `${field.name} may not be indexed again while the table holds records.`)
    } else if (current && wantsIndex(earlier) !== wantsIndex(field)) {
      list.add(`${at}.indexed`, `The index of ${field.name} may not change while the table holds records.`)
    }
    if ((earlier.unique ?? false) !== (field.unique ?? false)) list.add(`${at}.unique`, `The unique setting of ${field.name} may not change while the table holds records.`)
  })
}
