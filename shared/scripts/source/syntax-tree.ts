import { parseScript } from './read-script.ts'

export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}

/** Calls `see` for every node of a syntax tree. */
export function visit(tree: unknown, see: (node: SyntaxNode) => void): void {
  const open: unknown[] = [tree]
  while (open.length > 0) {
    const node = open.pop()
    if (Array.isArray(node)) {
      for (const one of node) open.push(one)
    } else if (isNode(node)) {
      see(node)
      for (const member of Object.values(node)) if (typeof member === 'object') open.push(member)
    }
  }
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The syntax tree of a script; undefined when it cannot be parsed. */
export function tryToParse(script: string): unknown {
  try {
    return parseScript(script)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
