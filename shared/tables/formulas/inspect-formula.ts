import { parseExpression } from 'feelin'
import { maxFormulaCharacters, maxFormulaDepth } from '../../kernel/limits/tables.ts'
import { didYouMean, shown } from '../../kernel/text/did-you-mean.ts'
import { allowedFunctions, allowedMembers, momentFunctions, refusedFunctions, wordSet } from './allowed-functions.ts'

type Node = ReturnType<typeof parseExpression>['topNode']

/** What a formula is made of, and why it may not be kept; empty when it may. */
export interface InspectedFormula {
  /** The names of fields that it uses, and how often. */
  readonly names: ReadonlyMap<string, number>
  readonly problems: readonly string[]
}

/** Parts that the formula may have. Anything else is refused, so that what a new version of FEEL brings is as well. */
const harmless: ReadonlySet<string> = wordSet(
  'Expression, ArithmeticExpression, ArithOp, Comparison, CompareOp, Conjunction, Disjunction',
  'IfExpression, ParenthesizedExpression, PositiveUnaryTest, PositiveUnaryTests, SimplePositiveUnaryTest',
  'NumericLiteral, StringLiteral, BooleanLiteral, DateTimeLiteral, AtLiteral, List, null',
  'PositionalParameters, NamedParameters, NamedParameter, ParameterName, Name, Identifier, LineComment',
  'BlockComment, FunctionInvocation, PathExpression, VariableName, PathName, DateTimeConstructor, Interval',
)

/** What people call the parts that are refused. */
const refusedParts: ReadonlyMap<string, string> = new Map([
  ['ForExpression', 'A for loop'],
  ['QuantifiedExpression', 'some and every'],
  ['FilterExpression', 'A filter in brackets'],
  ['FunctionDefinition', 'A function of its own'],
  ['Context', 'A context in braces'],
  ['InstanceOfExpression', 'instance of'],
])

/**
 * Parses a formula and finds what it names. It is refused unless its time is bounded by its own length and that of the
 * values: loops, functions of its own, ranges as lists and regular expressions are not. `fields`: those that it may name;
 * `any`: it names what it likes and their members, and may ask for the moment.
 */
export function inspectFormula(formula: string, fields: ReadonlySet<string> | 'any'): InspectedFormula {
  const names = new Map<string, number>()
  const problems = new Set<string>()
  const called = new Set<string>()
  if (formula.length > maxFormulaCharacters)
    return { names, problems: [`The formula may not be longer than ${maxFormulaCharacters} characters.`] }
  const textOf = ({ from, to }: { from: number; to: number }): string => formula.slice(from, to).replaceAll(/\s+/g, ' ')
  const at = ({ from }: { from: number }): string => positionIn(formula, from)
  const tree = parseExpression(formula, {}, undefined)
  let depth = 0
  tree.iterate({
    enter({ node, name, type }) {
      depth += 1
      if (type.isError) return add(`The formula cannot be read ${at(node)}: ${expectation(formula, node.from)}.`)
      if (depth > maxFormulaDepth) return add(`The formula is nested more than ${maxFormulaDepth} levels deep.`)
      if (refusedParts.has(name))
        return add(`${refusedParts.get(name)} ${at(node)} is not available in a formula: its time would have no bound.`)
      // A word or a sign of the grammar has its own text as its name.
      if (!harmless.has(name) && textOf(node) !== name)
        return add(`${shown(textOf(node))} ${at(node)} is not available in a formula.`)
      if (name === 'Interval' && node.parent?.parent?.name !== 'PositiveUnaryTest')
        return add(`A range ${at(node)} is only available behind in: value in [1..5].`)
      if (name === 'FunctionInvocation') checkCall(node)
      if (name === 'DateTimeConstructor') called.add(constructorOf(textOf(node)))
      if (name === 'PathExpression') checkMember(node)
      if (name === 'VariableName' && !isCalled(node)) useName(textOf(node), node)
      return undefined
    },
    leave() {
      depth -= 1
    },
  })
  for (const name of names.keys())
    if (called.has(name))
      problems.add(`The formula uses the field ${name} and the function ${name}(). Rename the field to use both.`)
  return { names, problems: [...problems] }

  /** Nothing within a refused part is looked at. */
  function add(problem: string): false {
    problems.add(problem)
    depth -= 1
    return false
  }

  function checkCall(node: Node): void {
    const target = node.firstChild
    if (!target || target.name !== 'VariableName') {
      problems.add(`The call ${at(node)} is not available in a formula: only functions by their names are.`)
      return
    }
    const name = textOf(target)
    called.add(name)
    if (fields === 'any' && momentFunctions.has(name)) return
    const refused = refusedFunctions.get(name)
    if (refused !== undefined) problems.add(`The function ${name}() ${at(node)} ${refused}`)
    else if (!allowedFunctions.has(name))
      problems.add(
        `There is no function ${shown(name)}() ${at(node)} in formulas.${didYouMean(name, allowedFunctions) || ` There are: ${[...allowedFunctions].join(', ')}.`}`,
      )
    else if (name === 'string join') checkDelimiter(node)
  }

  /** A delimiter of any length, many times, in another such call: the text would have no bound. */
  function checkDelimiter(node: Node): void {
    const given = (node.getChild('PositionalParameters') ?? node.getChild('NamedParameters'))?.lastChild
    const literals = given?.name === 'NamedParameter' ? given.getChildren('StringLiteral').length : 0
    const isPlain = given?.name === 'StringLiteral' || literals === 1
    const isAlone = given?.name === 'List' || given?.name === 'VariableName'
    if (!isPlain && !isAlone)
      problems.add(`The delimiter of string join() ${at(node)} must be a text in quotes: string join([a, b], ", ").`)
  }

  function checkMember(node: Node): void {
    const member = node.getChild('PathName')
    const name = member ? textOf(member) : ''
    if (fields === 'any') return refuseInherited(name, node)
    if (!allowedMembers.has(name))
      problems.add(
        `There is no ${shown(name)} ${at(node)}: a formula reads ${[...allowedMembers].join(', ')} of dates, times, durations and places.${didYouMean(name, allowedMembers)}`,
      )
  }

  /** Every object of JavaScript answers to these. */
  function refuseInherited(name: string, node: Node): void {
    if (name in Object.prototype) problems.add(`${shown(name)} ${at(node)} is not available in an expression.`)
  }

  function useName(name: string, node: Node): void {
    if (fields === 'any') {
      refuseInherited(name, node)
      names.set(name, (names.get(name) ?? 0) + 1)
    } else if (fields.has(name)) names.set(name, (names.get(name) ?? 0) + 1)
    else problems.add(`There is no field ${shown(name)} ${at(node)} that a formula may use.${didYouMean(name, fields)}`)
  }
}

const isCalled = (node: Node): boolean =>
  node.parent?.name === 'FunctionInvocation' && node.parent.firstChild?.from === node.from

const constructorOf = (text: string): string => text.slice(0, text.indexOf('(')).trim()

/** `at line 1, column 5`, both from 1. */
function positionIn(formula: string, offset: number): string {
  const lines = formula.slice(0, offset).split('\n')
  return `at line ${lines.length}, column ${(lines.at(-1) as string).length + 1}`
}

const expectation = (formula: string, offset: number): string =>
  offset >= formula.trimEnd().length
    ? 'something is missing at its end'
    : `${shown(formula.slice(offset, offset + 20))} is not expected here`
