import type { TableInput } from './schema.ts'
import type { ErrorList, Table } from './table.ts'

/** What a new version of a table may not do to the records it holds (contract §2). Indexes and guards are built after the fact. */
export function checkChange(before: Table, input: Pick<TableInput, 'table_fields'>, list: ErrorList): void {
  const retired = new Map(before.retired.map((field) => [field.name, field]))
  input.table_fields.forEach((field, index) => {
    const at = `table_fields.${index}`
    const earlier = before.fieldsByName.get(field.name) ?? retired.get(field.name)
    if (!earlier) return
    if (earlier.type !== field.type) {
      list.add(
        `${at}.type`,
        `The type of ${field.name} may not change from ${earlier.type} to ${field.type} while the table holds records.`,
      )
      return
    }
    if (earlier.target_table !== field.target_table) {
      list.add(`${at}.target_table`, `The target of ${field.name} may not change while the table holds records.`)
    }
  })
}
