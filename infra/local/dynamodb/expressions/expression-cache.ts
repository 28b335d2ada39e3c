/**
 * Caches parsed expressions: without it a create takes twice the CPU, and a patch a quarter more (decision 0120). A parsed
 * tree depends on the text and the types of the values, so requests that agree in those share a tree, with their own names
 * and values filled in: whatever their placeholders are called, as in `#open_k3 = :n` and `#open_k4 = :n`.
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
  usedValues: string[]
  /** The words of the text, which may be names too. */
  words: ReadonlySet<string>
}

/** An expression whose names are numbered in the order in which it mentions them. */
interface Numbered {
  readonly text: string
  /** The placeholders of names, `#status`. */
  readonly names: readonly string[]
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
    const numbered = numberNames(text)
    const key = keyOf(numbered, context)
    let template = templates.get(key)
    if (!template) {
      template = parseTemplate(parse, numbered, options)
      if (!template) return parse(text, options)
      if (templates.size >= treesKept) templates.clear()
      templates.set(key, template)
    }
    // Parse again: the parser reports names that clash, and reversed bounds.
    if (!areDistinct(numbered.names, template, context)) return parse(text, options)
    const tree = instantiate(template, numbered.names, context)
    if (hasBounds.test(text) && hasReversedBounds(tree)) return parse(text, options)
    for (const name of numbered.names) delete context.unusedAttrNames[name]
    for (const name of template.usedValues) delete context.unusedAttrVals[name]
    return tree
  }
}

function numberNames(given: string): Numbered {
  const names: string[] = []
  const text = given.replaceAll(/#[\w-]+/g, (name) => {
    let index = names.indexOf(name)
    if (index === -1) index = names.push(name) - 1
    return `#${index}`
  })
  return { text, names }
}

function keyOf({ text }: Numbered, { attrVals, isKeyCondition }: ParserContext): string {
  let key = isKeyCondition ? `key condition ${text}` : text
  for (const name in attrVals) key += `\n${name} ${typeOf(attrVals[name]!)}`
  return key
}

/** What stands for a name in a cached tree: no attribute in the text is called so. */
const numberedName = (index: number): string => `\u0000${index}`

/** Undefined for an expression with an error, whose message has the real names. */
function parseTemplate(
  parse: ExpressionParser['parse'],
  { text, names }: Numbered,
  options: { readonly context: ParserContext },
): Template | undefined {
  const { context } = options
  if (!names.every((name) => context.attrNames?.[name])) return undefined
  const attrNames = Object.fromEntries(names.map((_, index) => [`#${index}`, numberedName(index)]))
  const own: ParserContext = {
    ...context,
    attrNames,
    unusedAttrNames: allOf(attrNames),
    unusedAttrVals: allOf(context.attrVals),
  }
  const tree = parse(text, { ...options, context: own })
  // The parser returns a string for an error.
  if (typeof tree === 'string') return undefined
  return {
    tree: replace(tree, placeholders(own)),
    usedValues: Object.keys(context.attrVals ?? {}).filter((name) => !(name in own.unusedAttrVals)),
    words: new Set(text.match(/(?<![:#\w])[A-Za-z_]\w*/g)),
  }
}

const allOf = (named: object = {}): Record<string, true> =>
  Object.fromEntries(Object.keys(named).map((name) => [name, true as const]))

/** Whether no name stands for what another one, or a word of the text, stands for. */
function areDistinct(names: readonly string[], { words }: Template, { attrNames }: ParserContext): boolean {
  const meant = new Set<string>()
  for (const name of names) {
    const attribute = attrNames?.[name]
    if (attribute === undefined || words.has(attribute)) return false
    meant.add(attribute)
  }
  return meant.size === names.length
}

function instantiate({ tree }: Template, names: readonly string[], { attrNames, attrVals }: ParserContext): unknown {
  const attributeOf = (text: string): string =>
    text.charCodeAt(0) === 0 ? (attrNames as Record<string, string>)[names[Number(text.slice(1))] as string]! : text
  return replace(tree, (node) => (node instanceof Placeholder ? attrVals![node.name] : undefined), attributeOf)
}

/** Each value of a request is an object of its own, so identity tells them apart. */
function placeholders({ attrVals }: ParserContext): (node: object) => unknown {
  const names = new Map<object, Placeholder>()
  for (const name in attrVals) names.set(attrVals[name] as AttributeValue, new Placeholder(name))
  return (node) => names.get(node)
}

/** A deep copy, because the actions change the trees they get. */
function replace(
  node: unknown,
  replacement: (node: object) => unknown,
  textOf: (text: string) => string = (text) => text,
): unknown {
  if (typeof node === 'string') return textOf(node)
  if (typeof node !== 'object' || node === null) return node
  const other = replacement(node)
  if (other !== undefined) return other
  if (Array.isArray(node)) return node.map((element) => replace(element, replacement, textOf))
  const copy = Object.create(Object.getPrototypeOf(node)) as Record<string, unknown>
  for (const name in node) copy[textOf(name)] = replace((node as Record<string, unknown>)[name], replacement, textOf)
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
