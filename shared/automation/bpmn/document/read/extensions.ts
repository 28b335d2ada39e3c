import { textProblem } from '../../expressions/expression-problems.ts'
import { splitList } from '../../expressions/expression.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { FieldCondition, FieldValue } from '../../shapes/compiled-process.ts'
import type { Report } from '../../shapes/findings.ts'
import { wfElements } from './wf-descriptor.ts'

/** The `wf:` elements of one type in the extension elements of a node, in order. */
export const extensionsOf = (node: BpmnElement, type: string): readonly BpmnElement[] =>
  (node.extensionElements?.values ?? []).filter(({ $type }) => $type === `wf:${type}`)

/** Reports `wf:` elements that have no effect on this node. */
export function checkExtensions(node: BpmnElement, report: Report): void {
  for (const { $type } of node.extensionElements?.values ?? []) {
    const allowedIn = wfElements.get($type)
    if (allowedIn !== undefined && !allowedIn.includes(node.$type))
      report(node, `${describe(node)} holds ${tagOf($type)}, which does nothing there.`)
  }
}

const tagOf = (type: string): string => `wf:${type.charAt(3).toLowerCase()}${type.slice(4)}`

/** The trimmed text of an attribute; undefined when it is missing. A blank one is reported. */
export function textOf(element: BpmnElement, attribute: string, report: Report): string | undefined {
  const value = element[attribute]
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (text !== '') return text
  report(element, `${describe(element)} has an empty attribute wf:${attribute}.`)
  return undefined
}

/** The same for a text with expressions. `at`: the element that a message about broken ones names. */
export function expressiveText(
  element: BpmnElement,
  attribute: string,
  report: Report,
  at = element,
): string | undefined {
  const text = textOf(element, attribute, (_, message) => report(at, message))
  const fault = text === undefined ? undefined : textProblem(text)
  if (fault === undefined) return text
  report(at, `${describe(at)}: the expression in wf:${attribute} is no JavaScript: ${fault}.`)
  return undefined
}

export function expressiveList(element: BpmnElement, attribute: string, report: Report): readonly string[] {
  const text = expressiveText(element, attribute, report)
  return text === undefined ? [] : splitList(text)
}

/** The name of a field, written `status` or `record.status`; undefined when it is neither. */
export function fieldName(text: string | undefined): string | undefined {
  const [, name] = /^(?:record\.)?([a-z][a-z0-9_]{0,62})$/.exec(text?.trim() ?? '') ?? []
  return name
}

/** The `wf:set` of a `wf:setFields` or `wf:createRecord`. */
export function readSets(node: BpmnElement, holder: BpmnElement, report: Report): readonly FieldValue[] {
  const sets = (holder.sets ?? []) as readonly BpmnElement[]
  if (sets.length === 0) report(node, `${describe(node)} has a ${tagOf(holder.$type)} without any wf:set.`)
  return sets.flatMap((set): FieldValue[] => {
    const written = set.field as string | undefined
    const field = fieldName(written)
    const value = (set.value as string | undefined) ?? set.body
    const fault = value === undefined ? 'it has no value' : textProblem(value)
    if (field === undefined)
      report(node, `${describe(node)}: a wf:set needs the name of a field, not "${written ?? ''}".`)
    else if (fault !== undefined) report(node, `${describe(node)}: the wf:set of "${field}" cannot be used: ${fault}.`)
    return field === undefined || value === undefined ? [] : [{ field, value }]
  })
}

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
