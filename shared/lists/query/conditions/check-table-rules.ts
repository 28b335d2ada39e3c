import { didYouMean, shown } from '../../../kernel/text/did-you-mean.ts'
import { conditionsOf, mayBeVariable, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { customField } from '../grammar/field.ts'
import { parseFilter } from '../grammar/parse-filter.ts'
import { sampleVariables } from '../grammar/restrictions.ts'
import { isKnownVariable, userVariable } from '../grammar/variables.ts'
import { kinds } from '../kinds/kinds.ts'
import { ownFields } from './table-as-seen.ts'

/** Adds the errors of a table's conditions, and of the variables in its defaults, by path: `table_fields.3.required_if.status`. */
export function checkTableRules(table: Table, list: ErrorList): void {
  for (const [index, field] of table.table_fields.entries()) {
    const path = `table_fields.${index}`
    for (const { condition, at } of conditionsOf(field))
      parseFilter(
        condition,
        { fieldNames: ownFields(table), variables: sampleVariables, list, checksSlugs: true },
        `${path}.${at}`,
      )
    const problem = problemOfDefault(field, `${path}.default`)
    if (problem !== undefined) list.add(`${path}.default`, problem)
  }
}

function problemOfDefault(field: Field, at: string): string | undefined {
  const given = field.default
  if (mayBeVariable(field)) {
    if (typeOfField(field).refersToPeople)
      return given === userVariable
        ? undefined
        : `There is no variable ${shown(String(given))} for a user.${didYouMean(String(given), [userVariable]) || ` There is ${userVariable}.`}`
    const parsed = kinds[typeOfField(field).kind].parse(given, at, sampleVariables, customField(field))
    return 'error' in parsed ? parsed.error : undefined
  }
  return typeof given === 'string' && isKnownVariable(given)
    ? `The variable ${given} does not stand for a ${field.type}: $CURRENT_USER is for users, $NOW and $TODAY are for dates and datetimes.`
    : undefined
}
