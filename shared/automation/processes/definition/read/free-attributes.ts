import type { FieldCondition } from '../compiled-process.ts'

const shape = /^(?:wf:)?complete_on_field_(.*)$/

/**
 * The field named by an attribute like `wf:complete_on_field_status` (prefix optional); undefined for other attributes.
 */
export const freeAttribute = (attribute: string): string | undefined => shape.exec(attribute)?.[1]

/**
 * Reads `complete_on_field_<field>="<text>"`: one of several values (`done,closed`), none of them (`!new,!open`),
 * `empty` or `!empty`. Answers a text that says what is wrong when it cannot be read.
 */
export function readFreeAttribute(field: string, text: string): FieldCondition | string {
  const items = text.split(',').map((item) => item.trim())
  const negated = items.filter((item) => item.startsWith('!'))
  const values = items.map((item) => (item.startsWith('!') ? item.slice(1).trim() : item))
  if (values.includes('')) return 'a value is missing'
  if (negated.length > 0 && negated.length < items.length) return 'every value must have a "!", or none of them'
  const not = negated.length > 0
  if (values.includes('empty'))
    return values.length > 1 ? '"empty" must stand alone' : { field, op: not ? 'notEmpty' : 'empty', values: [] }
  if (values.length === 1) return { field, op: not ? 'ne' : 'eq', values }
  return { field, op: not ? 'notIn' : 'in', values }
}
