import type { Filter } from '../api/records.ts'
import type { Operator } from '../fields/field-module.ts'

/** One condition of a filter, as a chip shows it. */
export interface Condition {
  readonly field: string
  readonly operator: Operator
  readonly value: unknown
}

/** The conditions of a filter; undefined for one that chips cannot show, such as with `_or`. */
export function conditionsOf(filter: Filter | undefined): readonly Condition[] | undefined {
  if (filter === undefined) return []
  const parts =
    Array.isArray(filter['_and']) && Object.keys(filter).length === 1 ? (filter['_and'] as Filter[]) : [filter]
  const conditions: Condition[] = []
  for (const part of parts) {
    for (const [field, test] of Object.entries(part)) {
      if (field.startsWith('_')) return undefined
      const tests = asTests(test)
      if (tests === undefined) return undefined
      for (const [operator, value] of tests) conditions.push({ field, operator: operator as Operator, value })
    }
  }
  return conditions
}

function asTests(test: unknown): readonly [string, unknown][] | undefined {
  if (Array.isArray(test)) return [['_in', test]]
  if (typeof test !== 'object' || test === null) return [['_eq', test]]
  const tests = Object.entries(test)
  return tests.every(([operator]) => operator.startsWith('_')) ? tests : undefined
}

/** The filter of conditions that must all hold; undefined for none. */
export function filterOf(conditions: readonly Condition[]): Filter | undefined {
  const parts = conditions.map(({ field, operator, value }) => ({ [field]: { [operator]: value } }))
  return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : { _and: parts }
}

/** A filter with one condition more, whatever it is made of. */
export const andAlso = (filter: Filter | undefined, condition: Filter): Filter =>
  filter === undefined ? condition : { _and: [filter, condition] }
