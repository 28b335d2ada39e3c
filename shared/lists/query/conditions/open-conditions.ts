import type { Viewer } from '../../../kernel/principal.ts'
import type { Condition } from '../../../tables/field-types/declaration.ts'
import { conditionsOf, mayBeVariable, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { customField } from '../grammar/field.ts'
import { parseRestrictions } from '../grammar/restrictions.ts'
import { kinds } from '../kinds/kinds.ts'
import { compilePredicate, type Matcher } from '../read/compile-predicate.ts'
import type { Row } from '../read/row.ts'
import { type FilterDependencies, variablesFor } from '../row-filter.ts'
import { ownFields } from './table-as-seen.ts'

/** The conditions and variables of a table, for one writer at one moment. */
export interface Conditions {
  /** Whether a record matches a condition of a field, by the predicate of lists. */
  holds(condition: Condition, row: Row): boolean
  /** The default of a field whose variable is replaced; undefined when there is nobody for it. */
  defaultOf(field: Field): unknown
}

export type OpenConditions = ReturnType<typeof createConditions>

/** Conditions of fields: the filter grammar on one record that is not stored yet. Reads only what variables need. */
export function createConditions(services: Pick<FilterDependencies, 'clock' | 'timeZone' | 'orgTree'>) {
  return async (viewer: Pick<Viewer, 'tenant' | 'userId' | 'orgUnitIds'>, table: Table): Promise<Conditions> => {
    const named = table.table_fields.flatMap((field) => [
      ...conditionsOf(field).map(({ condition }) => condition),
      ...(mayBeVariable(field) ? [field.default] : []),
    ])
    const variables = await variablesFor(services, viewer, named)
    const matchers = new Map<Condition, Matcher>()
    const matcherOf = (condition: Condition): Matcher => {
      const known = matchers.get(condition)
      if (known) return known
      const made = compilePredicate(parseRestrictions([condition], ownFields(table), variables))
      matchers.set(condition, made)
      return made
    }
    return {
      holds: (condition, row) => matcherOf(condition)(row),
      defaultOf(field) {
        if (!mayBeVariable(field)) return field.default
        const { kind } = typeOfField(field)
        const parsed = kinds[kind].parse(field.default, field.name, variables, customField(field))
        // User 0 is the service itself.
        return 'error' in parsed || parsed.value === 0 ? undefined : parsed.value
      },
    }
  }
}
