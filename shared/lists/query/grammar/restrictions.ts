import { log } from '../../../kernel/runtime/log.ts'
import { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Expression } from './expression-types.ts'
import { any, nothing } from './expression.ts'
import { parseFilter } from './parse-filter.ts'
import type { FieldNames } from './resolve-field.ts'
import type { Variables } from './variables.ts'

/**
 * The expression for records that pass one of these filters. They were valid when saved, but the table may have lost a
 * field since: a filter that is no longer valid matches nothing and is logged.
 */
export function parseRestrictions(
  filters: readonly unknown[],
  fieldNames: FieldNames,
  variables: Variables,
): Expression {
  return any(
    filters.map((filter) => {
      const list = new ErrorList()
      const expression = parseFilter(filter, { fieldNames, variables, list })
      if (!list.any) return expression
      log.warn('a row rule is no longer valid for its table and matches no record', {
        table: fieldNames.table.name,
        errors: list.errors,
      })
      return nothing
    }),
  )
}
