import { log } from '../../kernel/log.ts'
import { ErrorList } from '../../tables/service.ts'
import type { Expression } from '../grammar/expression-types.ts'
import { any, nothing } from '../grammar/expression.ts'
import { parseFilter } from '../grammar/parse-filter.ts'
import type { FieldNames } from '../grammar/resolve-field.ts'
import type { Variables } from '../grammar/variables.ts'

/**
 * What of a table passes one of these filters. They were checked when they were saved, but a table may have lost a field
 * since: a filter that does not fit any more lets nothing through, and the log says so.
 */
export function parseRestrictions(
  filters: readonly unknown[],
  vocabulary: FieldNames,
  variables: Variables,
): Expression {
  return any(
    filters.map((filter) => {
      const list = new ErrorList()
      const expression = parseFilter(filter, { vocabulary, variables, list })
      if (!list.any) return expression
      log.warn('a row rule does not fit its table any more and lets nothing through', {
        table: vocabulary.table.name,
        errors: list.errors,
      })
      return nothing
    }),
  )
}
