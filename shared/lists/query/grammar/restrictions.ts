import { log } from '../../../kernel/runtime/log.ts'
import { referencedTable } from '../../../tables/field-types/read-field.ts'
import { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { any, type Expression, nothing } from './expression.ts'
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

/** Arbitrary values: whether a filter is valid does not depend on them. */
export const sampleVariables: Variables = { nowMs: Date.UTC(2026, 0, 1), timeZone: 'UTC', userId: 1, orgUnitIds: [] }

/** Adds the errors of a stored filter against the current tables to `list`, with their paths below `path`. */
export async function checkFilter(
  find: (name: string) => Promise<Table | undefined>,
  table: Table,
  filter: Parameters<typeof parseFilter>[0],
  list: ErrorList,
  path: string,
): Promise<void> {
  const names = new Set(table.table_fields.flatMap((field) => referencedTable(field) ?? []))
  const targets = await Promise.all([...names].map(find))
  const fieldNames = {
    table,
    targets: new Map(targets.flatMap((target) => (target ? [[target.name, target] as const] : []))),
    mayRead: () => true,
  }
  parseFilter(filter, { fieldNames, variables: sampleVariables, list, checksSlugs: true }, path)
}
