/**
 * Caches parsed expressions: parsing took a quarter of a small write. A parsed tree depends on the text, the names
 * and the types of the values, so requests that agree in those share a tree, with their own values filled in.
 */

import { type Expression, type ExpressionParser, type ParserContext, db, parsers } from '../dynalite.ts'
import { type AttributeValue, typeOf } from '../items/attribute-value.ts'

const treesKept = 1000
/** Expressions whose parsing depends on a value. */
const dependsOnValues = /attribute_type/i
/** BETWEEN depends on the order of its bounds only. */
const hasBounds = /between/i

interface Template {
  tree: unknown
  usedNames: string[]
  usedValues: string[]
}

/** Stands for a value in a cached tree. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

for (const parser of [parsers.condition, parsers.update, parsers.projection]) cacheParsed(parser)

function cacheParsed(parser: ExpressionParser): void {
  const templates = new Map<string, Template>()
  const parse = parser.parse.bind(parser)
  parser.parse = (text, options) => {
    if (dependsOnValues.test(text)) return parse(text, options)
    const { context } = options
    const key = keyOf(text, context)
    const known = templates.get(key)
    if (known) {
      const tree = instantiate(known, context)
      // Parse again: the parser reports the reversed bounds.
      return hasBounds.test(text) && hasReversedBounds(tree) ? parse(text, options) : tree
    }
    const unusedBefore = { names: Object.keys(context.unusedAttrNames), values: Object.keys(context.unusedAttrVals) }
    const tree = parse(text, options)
    // The parser returns a string for an error.
    if (typeof tree === 'string') return tree
    if (templates.size >= treesKept) templates.clear()
    templates.set(key, {
      tree: replace(tree, placeholders(context)),
      usedNames: unusedBefore.names.filter((name) => !(name in context.unusedAttrNames)),
      usedValues: unusedBefore.values.filter((name) => !(name in context.unusedAttrVals)),
    })
    return tree
  }
}

function keyOf(text: string, { attrNames, attrVals, isKeyCondition }: ParserContext): string {
  let key = isKeyCondition ? `key condition ${text}` : text
  for (const name in attrNames) key += `\n${name} ${JSON.stringify(attrNames[name])}`
  for (const name in attrVals) key += `\n${name} ${typeOf(attrVals[name]!)}`
  return key
}

function instantiate({ tree, usedNames, usedValues }: Template, context: ParserContext): unknown {
  for (const name of usedNames) delete context.unusedAttrNames[name]
  for (const name of usedValues) delete context.unusedAttrVals[name]
  return replace(tree, (node) => (node instanceof Placeholder ? context.attrVals![node.name] : undefined))
}

/** Each value of a request is an object of its own, so identity tells them apart. */
function placeholders({ attrVals }: ParserContext): (node: object) => unknown {
  const names = new Map<object, Placeholder>()
  for (const name in attrVals) names.set(attrVals[name] as AttributeValue, new Placeholder(name))
  return (node) => names.get(node)
}

/** A deep copy, because the actions change the trees they get. */
function replace(node: unknown, replacement: (node: object) => unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  const other = replacement(node)
  if (other !== undefined) return other
  if (Array.isArray(node)) return node.map((element) => replace(element, replacement))
  const copy = Object.create(Object.getPrototypeOf(node)) as Record<string, unknown>
  for (const name in node) copy[name] = replace((node as Record<string, unknown>)[name], replacement)
  return copy
}

/** Whether a BETWEEN in the tree has a lower bound greater than its upper one. */
function hasReversedBounds(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (Array.isArray(node)) return node.some(hasReversedBounds)
  const { type, args, ...others } = node as Partial<Expression>
  if (type === 'between' && args) {
    const [, lower, upper] = args
    if (isValue(lower) && isValue(upper) && db.compare('GT', lower, [upper])) return true
  }
  return hasReversedBounds(args) || Object.values(others).some(hasReversedBounds)
}

const isValue = (operand: unknown): operand is AttributeValue =>
  typeof operand === 'object' && operand !== null && !Array.isArray(operand) && !('type' in operand)
