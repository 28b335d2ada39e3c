import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, parse } from 'acorn'

/** One change of a source file that some test should notice. */
export interface Mutant {
  readonly file: string
  readonly line: number
  /** The source of that line. */
  readonly at: string
  /** What was changed into what, in one line. */
  readonly what: string
  readonly mutated: string
  /** The mutated file leaves the condition of a write out: these are tried first. */
  readonly isCondition: boolean
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly isCondition?: true
}

const opposite: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
}
/** Calls whose effect nobody but an operator sees. */
const unseen = /^(await )?(log\.|measure\(|console\.)/

/**
 * Every mutant of a file. Types are stripped into spaces, so that the positions in the syntax tree are those of the source.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' })
  const edits: Edit[] = []
  visit(tree, (node) => edits.push(...editsOf(node, source)))
  const lines = source.split('\n')
  const lineOf = (position: number): number => source.slice(0, position).split('\n').length
  return edits.map(({ start, end, text, isCondition }) => ({
    file,
    line: lineOf(start),
    at: (lines[lineOf(start) - 1] as string).trim(),
    what: `${short(source.slice(start, end))} → ${short(text) || '(removed)'}`,
    mutated: source.slice(0, start) + text + source.slice(end),
    isCondition: isCondition ?? false,
  }))
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 90 ? `${line.slice(0, 87)}...` : line
}

function editsOf(node: AnyNode, source: string): Edit[] {
  const textOf = (one: AnyNode): string => source.slice(one.start, one.end)
  const replace = (one: AnyNode, text: string): Edit => ({ start: one.start, end: one.end, text })
  switch (node.type) {
    case 'IfStatement':
      return [replace(node.test, 'true'), replace(node.test, 'false')]
    case 'ConditionalExpression':
      return [replace(node.test, `!(${textOf(node.test)})`)]
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const operator = opposite[node.operator]
      if (operator === undefined) return []
      const between = source.slice(node.left.end, node.right.start)
      return [
        {
          start: node.left.end,
          end: node.right.start,
          text: between.replace(node.operator, operator),
        },
      ]
    }
    case 'Property':
      // The condition of a write: `{ put, if: isNew }`.
      return node.key.type === 'Identifier' && node.key.name === 'if' && node.value.type !== 'AssignmentPattern'
        ? [{ ...replace(node.value, 'undefined'), isCondition: true }]
        : []
    case 'CallExpression':
      return node.callee.type === 'Identifier' && node.callee.name === 'and' && node.arguments.length > 1
        ? node.arguments.map((_, left) => ({
            ...replace(
              node,
              `and(${node.arguments
                .filter((_one, index) => index !== left)
                .map(textOf)
                .join(', ')})`,
            ),
            isCondition: true as const,
          }))
        : []
    case 'ExpressionStatement': {
      const call = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression
      return call.type === 'CallExpression' && !unseen.test(textOf(node)) ? [replace(node, ';')] : []
    }
    case 'ThrowStatement':
      return [replace(node, ';')]
    default:
      return []
  }
}

function visit(node: AnyNode, see: (node: AnyNode) => void): void {
  see(node)
  for (const value of Object.values(node) as unknown[])
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && typeof one === 'object' && typeof (one as AnyNode).type === 'string')
        visit(one as AnyNode, see)
}
