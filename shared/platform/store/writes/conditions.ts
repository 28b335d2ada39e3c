import type { Condition } from '../client/write.ts'
import type { Attribute } from '../values/marshal.ts'

/*
 * Conditions of writes. The placeholders of values start with `:if_`, so that they never clash with those of the change
 * in the same write.
 */

/** No item with this key exists. */
export const isNew: Condition = { expression: 'attribute_not_exists(pk)' }
/** An item with this key exists. */
export const exists: Condition = { expression: 'attribute_exists(pk)' }

const compares =
  (operator: '=' | '<' | '>') =>
  (attribute: string, value: Attribute): Condition => ({
    expression: `#${attribute} ${operator} :if_${attribute}`,
    names: { [`#${attribute}`]: attribute },
    values: { [`:if_${attribute}`]: value },
  })

/** The attribute has this value. */
export const equals = compares('=')
/** The attribute exists and is below this value. */
export const below = compares('<')
/** The attribute exists and is above this value. */
export const above = compares('>')

/** The attribute exists. */
export const has = (attribute: string): Condition => ({
  expression: `attribute_exists(#${attribute})`,
  names: { [`#${attribute}`]: attribute },
})
/** The attribute, or the whole item, does not exist. */
export const lacks = (attribute: string): Condition => ({
  expression: `attribute_not_exists(#${attribute})`,
  names: { [`#${attribute}`]: attribute },
})

/** The item is unchanged since it was read at this version. */
export const atVersion = (version: number): Condition => equals('version', version)
/** The same for items that count their writes in `rev`. */
export const atRevision = (rev: number): Condition => equals('rev', rev)

/** The record is being deleted. */
export const isMarkedDeleted: Condition = has('deleted_at')

export const and = (...conditions: readonly Condition[]): Condition => joined(' AND ', conditions)
/** The record is not being deleted, and was not merged into another. */
export const isUndeleted: Condition = and(lacks('deleted_at'), lacks('merged_into'))

export const or = (...conditions: readonly Condition[]): Condition => joined(' OR ', conditions)

function joined(operator: ' AND ' | ' OR ', conditions: readonly Condition[]): Condition {
  let expression = ''
  const names: Record<string, string> = {}
  const values: Record<string, Attribute> = {}
  for (const one of conditions) {
    // DynamoDB refuses redundant parentheses.
    const text = operator === ' AND ' && one.expression.includes(' OR ') ? `(${one.expression})` : one.expression
    expression += expression === '' ? text : operator + text
    Object.assign(names, one.names)
    Object.assign(values, one.values)
  }
  return { expression, names, values }
}
