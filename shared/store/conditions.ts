import type { Attribute } from './marshal.ts'
import type { Condition } from './write.ts'

/*
 * The conditions that writes are made on. Names and values begin with what they are about, so that a condition never clashes
 * with the change it is written with.
 */

/** There is no such item. */
export const isNew: Condition = { expression: 'attribute_not_exists(pk)' }
/** There is such an item. */
export const exists: Condition = { expression: 'attribute_exists(pk)' }

const compares =
  (operator: '=' | '<' | '>') =>
  (attribute: string, value: Attribute): Condition => ({
    expression: `#${attribute} ${operator} :if_${attribute}`,
    names: { [`#${attribute}`]: attribute },
    values: { [`:if_${attribute}`]: value },
  })

/** An attribute has this value. */
export const equals = compares('=')
/** An attribute is there and below this value. */
export const below = compares('<')
/** An attribute is there and above this value. */
export const above = compares('>')

/** The item has an attribute. */
export const has = (attribute: string): Condition => ({
  expression: `attribute_exists(#${attribute})`,
  names: { [`#${attribute}`]: attribute },
})
/** The item does not have an attribute, or there is no such item. */
export const lacks = (attribute: string): Condition => ({
  expression: `attribute_not_exists(#${attribute})`,
  names: { [`#${attribute}`]: attribute },
})

/** Nobody has written the item since it was read at this version. */
export const atVersion = (version: number): Condition => equals('version', version)
/** The same for items whose writes raise `rev`. */
export const atRevision = (rev: number): Condition => equals('rev', rev)

/** The delete of a record has not begun. */
export const isUndeleted: Condition = lacks('deleted_at')
/** The delete of a record has begun. */
export const isMarkedDeleted: Condition = has('deleted_at')

/** All of the conditions. */
export const and = (...conditions: readonly Condition[]): Condition => joined(' AND ', conditions)
/** One of the conditions at least. */
export const or = (...conditions: readonly Condition[]): Condition => joined(' OR ', conditions)

function joined(word: ' AND ' | ' OR ', conditions: readonly Condition[]): Condition {
  let expression = ''
  const names: Record<string, string> = {}
  const values: Record<string, Attribute> = {}
  for (const one of conditions) {
    // Redundant parentheses are refused, so only what needs them gets them.
    const text = word === ' AND ' && one.expression.includes(' OR ') ? `(${one.expression})` : one.expression
    expression += expression === '' ? text : word + text
    Object.assign(names, one.names)
    Object.assign(values, one.values)
  }
  return { expression, names, values }
}
