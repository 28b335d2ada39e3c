import { own } from '../../../kernel/collections/own-members.ts'
import { typeOfField } from '../../field-types/read-field.ts'
import type { ErrorList } from '../error-list.ts'
import type { TableInput } from '../schema.ts'
import type { Table } from '../table.ts'

/** Refuses a change of a table that does not fit its records: of a field's type or target (contract §2). */
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
    for (const [setting, word = setting] of Object.entries(typeOfField(field).lasting ?? {}))
      if (own(earlier, setting) !== own(field, setting))
        list.add(`${at}.${setting}`, `The ${word} of ${field.name} may not change while the table holds records.`)
  })
}

/** Refuses a change that does not fit records which the table has had, even if it has none now. */
export function checkPermanent(before: Table, input: Pick<TableInput, 'table_fields'>, list: ErrorList): void {
  input.table_fields.forEach((field, index) => {
    const earlier = before.fieldsByName.get(field.name)
    if (earlier?.type !== field.type) return
    for (const [setting, word = setting] of Object.entries(typeOfField(field).permanent ?? {}))
      if (own(earlier, setting) !== own(field, setting))
        list.add(
          `table_fields.${index}.${setting}`,
          `The ${word} of ${field.name} may not change any more: the table has had records.`,
        )
  })
}
