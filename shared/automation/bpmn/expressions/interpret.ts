import { parseExpressionAt } from 'acorn'
import { byName, own } from '../../../kernel/collections/own-members.ts'
import { maxScriptCharacters } from '../../../kernel/limits/scripts.ts'
import { checkSource, ScriptSyntaxError } from '../../../scripts/source/check-source.ts'
import { callMethod, functions } from './calls.ts'
import { newDate } from './dates.ts'
import { simplePattern } from './patterns.ts'
import { binary, Budget, handOver, memberOf, nameOf, Outside, outside, primitive, unary } from './values.ts'

/** The names that an expression sees, with their values as JSON. */
export type Names = Readonly<Record<string, unknown>>

/** JavaScript that was read once. */
export interface Interpreted {
  /** The names that it uses and does not define itself. */
  readonly freeNames: ReadonlySet<string>
  /** Its value; undefined when only the sandbox can tell. */
  readonly evaluate: (names: Names) => { readonly value: unknown } | undefined
}

interface Run {
  readonly names: Names
  readonly locals: Record<string, unknown>
  readonly budget: Budget
}
type Evaluate = (run: Run) => unknown

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const lead = 'return ('

/**
 * Reads an expression for an interpreter of a part of JavaScript: literals, names, own members, operators, templates,
 * lists, dates, simple patterns, and calls that have no effect. What is not part of it, or would throw, is left to the sandbox, so that the
 * result is always the same. No value of the author is ever run: the syntax tree is walked with bounded steps.
 */
export function interpret(source: string): Interpreted {
  const freeNames = new Set<string>()
  const run = compileSource(source, freeNames)
  return {
    freeNames,
    evaluate(names) {
      if (run === undefined) return undefined
      try {
        const budget = new Budget()
        return { value: handOver(run({ names, locals: byName(), budget }), budget) }
      } catch (error) {
        if (error instanceof Outside || error instanceof RangeError) return undefined
        throw error
      }
    },
  }
}

function compileSource(source: string, freeNames: Set<string>): Evaluate | undefined {
  try {
    const expression = plainSource(source)
    const tree = parseExpressionAt(expression, 0, {
      ecmaVersion: 2024,
      sourceType: 'script',
      preserveParens: true,
    })
    if (expression.slice(tree.end).trim() !== '') return undefined
    collectNames(tree as unknown as Node, new Set(), freeNames)
    return compile(tree as unknown as Node, new Set())
  } catch (error) {
    const isLeft = [Outside, SyntaxError, RangeError, ScriptSyntaxError].some((known) => error instanceof known)
    if (isLeft) return undefined
    throw error
  }
}

/**
 * The source in plain JavaScript. Only one with `->` must be read as a script for that: what the interpreter evaluates is
 * the same in a script, and to parse it twice would double what a first expression costs.
 */
function plainSource(source: string): string {
  if (source.includes('->')) return checkSource(`${lead}${source}\n)`).code.slice(lead.length, -2)
  return source.length > maxScriptCharacters || /\0|\p{Surrogate}/u.test(source) ? outside() : source
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The identifiers that are no members, no keys and no parameters. */
function collectNames(node: Node, inner: ReadonlySet<string>, names: Set<string>): void {
  if (node.type === 'Identifier') {
    if (!inner.has(String(node.name))) names.add(String(node.name))
    return
  }
  const inside = node.type.endsWith('FunctionExpression')
    ? new Set([
        ...inner,
        ...(node.params as Node[]).flatMap(({ type, name }) => (type === 'Identifier' ? [String(name)] : [])),
      ])
    : inner
  for (const [member, value] of Object.entries(node)) {
    if (node.computed !== true && (member === 'property' || member === 'key')) continue
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(each)) collectNames(each, inside, names)
  }
}

/** Makes a function of a node. Throws Outside for a node that is not interpreted. `inner`: parameters around it. */
function compile(node: Node, inner: ReadonlySet<string>): Evaluate {
  const of = (child: unknown): Evaluate => compile(child as Node, inner)
  switch (node.type) {
    case 'Literal': {
      const { value } = node
      if (node.regex !== undefined || typeof value === 'bigint') return outside()
      return () => value
    }
    case 'Identifier':
      return compileName(String(node.name), inner)
    case 'ParenthesizedExpression':
      return of(node.expression)
    case 'ChainExpression': {
      const chain = of(node.expression)
      return (run) => {
        try {
          return chain(run)
        } catch (error) {
          if (error === endOfChain) return undefined
          throw error
        }
      }
    }
    case 'TemplateLiteral': {
      const texts = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
      const parts = (node.expressions as Node[]).map(of)
      return (run) => {
        const text = texts.reduce((made, next, at) => made + String(primitive(parts[at - 1]?.(run))) + next)
        run.budget.read(text.length)
        return text
      }
    }
    case 'UnaryExpression': {
      const operate = own(unary, String(node.operator))
      if (operate === undefined) return outside()
      const operand = of(node.argument)
      return (run) => operate(operand(run))
    }
    case 'BinaryExpression': {
      const operate = own(binary, String(node.operator))
      if (operate === undefined) return outside()
      const [left, right] = [of(node.left), of(node.right)]
      return (run) => operate(left(run), right(run), run.budget)
    }
    case 'LogicalExpression': {
      const [left, right] = [of(node.left), of(node.right)]
      if (node.operator === '&&') return (run) => left(run) && right(run)
      return node.operator === '||' ? (run) => left(run) || right(run) : (run) => left(run) ?? right(run)
    }
    case 'ConditionalExpression': {
      const [test, yes, no] = [of(node.test), of(node.consequent), of(node.alternate)]
      return (run) => (test(run) ? yes(run) : no(run))
    }
    case 'ArrayExpression': {
      const items = (node.elements as (Node | null)[]).map((each) => (each === null ? outside() : of(each)))
      return (run) => items.map((item) => item(run))
    }
    case 'ObjectExpression':
      return compileObject(node.properties as Node[], of)
    case 'MemberExpression':
      return compileMember(node, of)
    case 'CallExpression':
      return compileCall(node, inner, of)
    case 'NewExpression':
      return compileNew(node, inner, of)
    default:
      return outside()
  }
}

/** Ends a chain at `?.` of null or undefined. */
const endOfChain = new Error('the chain ends')

const constants: ReadonlyMap<string, unknown> = new Map([
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
])

function compileName(name: string, inner: ReadonlySet<string>): Evaluate {
  if (inner.has(name)) return ({ locals }) => locals[name]
  if (constants.has(name)) return () => constants.get(name)
  return ({ names }) => nameOf(names, name)
}

function compileObject(properties: readonly Node[], of: (node: unknown) => Evaluate): Evaluate {
  const members = properties.map((property): readonly [string, Evaluate] => {
    const { type, kind, method, computed, key, value } = property
    if (type !== 'Property' || kind !== 'init' || method === true || computed === true || !isNode(key)) return outside()
    const name = String(key.type === 'Identifier' ? key.name : key.value)
    return name === '__proto__' ? outside() : [name, of(value)]
  })
  return (run) => Object.fromEntries(members.map(([name, value]) => [name, value(run)]))
}

function compileMember(node: Node, of: (node: unknown) => Evaluate): Evaluate {
  const object = of(node.object)
  const property = node.property as Node
  const key = node.computed === true ? of(property) : () => property.name
  if (property.type === 'PrivateIdentifier') return outside()
  return (run) => {
    const value = object(run)
    if (value === null || value === undefined) {
      if (node.optional === true) throw endOfChain
      return outside()
    }
    return memberOf(value, key(run))
  }
}

function compileCall(node: Node, inner: ReadonlySet<string>, of: (node: unknown) => Evaluate): Evaluate {
  const callee = node.callee as Node
  const args = (node.arguments as Node[]).map((each) =>
    each.type === 'ArrowFunctionExpression' ? compileArrow(each, inner) : of(each),
  )
  const name = nameOfFunction(callee)
  const known = name === undefined ? undefined : own(functions, name)
  if (known !== undefined) {
    const root = (name as string).split('.', 1)[0] as string
    if (inner.has(root)) return outside()
    return (run) => (Object.hasOwn(run.names, root) ? outside() : known(args.map((arg) => arg(run))))
  }
  if (callee.type !== 'MemberExpression' || callee.computed === true || node.optional === true) return outside()
  const method = String((callee.property as Node).name)
  if ((callee.object as Node).regex !== undefined) return compileTest(callee.object as Node, method, args)
  const object = of(callee.object)
  return (run) => {
    const value = object(run)
    if ((value === null || value === undefined) && callee.optional === true) throw endOfChain
    return callMethod(
      value,
      method,
      args.map((arg) => arg(run)),
      run.budget,
    )
  }
}

/** `new Date(...)`. */
function compileNew(
  { callee, arguments: args }: Node,
  inner: ReadonlySet<string>,
  of: (node: unknown) => Evaluate,
): Evaluate {
  if (!isNode(callee) || callee.type !== 'Identifier' || callee.name !== 'Date' || inner.has('Date')) return outside()
  const values = (args as Node[]).map(of)
  return (run) => (Object.hasOwn(run.names, 'Date') ? outside() : newDate(values.map((value) => value(run))))
}

/** `/pattern/.test(text)`. */
function compileTest(pattern: Node, method: string, args: readonly Evaluate[]): Evaluate {
  const { pattern: source, flags } = pattern.regex as { pattern: string; flags: string }
  const [of] = args
  if (method !== 'test' || of === undefined || args.length > 1) return outside()
  const test = simplePattern(source, flags)
  return (run) => {
    const text = of(run)
    return typeof text === 'string' ? test(text, run.budget) : outside()
  }
}

function nameOfFunction({ type, name, object, property, computed, optional }: Node): string | undefined {
  if (type === 'Identifier') return String(name)
  const isStatic = type === 'MemberExpression' && computed !== true && optional !== true
  return isStatic && isNode(object) && object.type === 'Identifier'
    ? `${String(object.name)}.${String((property as Node).name)}`
    : undefined
}

/** An arrow function whose body is an expression, as an argument of a method of a list. */
function compileArrow(node: Node, around: ReadonlySet<string>): Evaluate {
  const params = node.params as Node[]
  if (node.async === true || node.expression !== true || params.some(({ type }) => type !== 'Identifier'))
    return outside()
  const names = params.map(({ name }) => String(name))
  const body = compile(node.body as Node, new Set([...around, ...names]))
  const size = Number(node.end) - Number(node.start)
  return (run) =>
    (...args: readonly unknown[]) => {
      run.budget.spend(size)
      // The list itself is the last argument of JavaScript.
      if (names.length > args.length) return outside()
      const locals = Object.assign(byName<unknown>(), run.locals)
      for (const [at, name] of names.entries()) locals[name] = args[at]
      return body({ ...run, locals })
    }
}
