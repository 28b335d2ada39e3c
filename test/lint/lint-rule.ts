import { relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The members of a syntax tree's node that our rules read. */
export interface SyntaxNode {
  readonly type: string
  readonly value?: unknown
  readonly name?: string
  readonly source?: SyntaxNode | null
  readonly importKind?: 'type' | 'value'
  readonly key?: SyntaxNode
  readonly callee?: SyntaxNode
  readonly arguments?: readonly SyntaxNode[]
  readonly object?: SyntaxNode
  readonly property?: SyntaxNode
  readonly computed?: boolean
  readonly operator?: string
  readonly left?: SyntaxNode
  readonly right?: SyntaxNode
  readonly id?: SyntaxNode | null
  readonly init?: SyntaxNode | null
  readonly expression?: SyntaxNode
  readonly properties?: readonly SyntaxNode[]
  readonly members?: readonly SyntaxNode[]
  readonly typeAnnotation?: SyntaxNode | null
  readonly typeName?: SyntaxNode
  readonly typeArguments?: { readonly params: readonly SyntaxNode[] } | null
}

export interface RuleContext {
  readonly physicalFilename: string
  readonly sourceCode: { getAllComments(): readonly SyntaxNode[] }
  report(problem: { readonly node: SyntaxNode; readonly message: string }): void
}

/** What the linter calls for each node, by the type of the node. */
export type Visitors = Readonly<Record<string, (node: SyntaxNode) => void>>

/** A rule of the linter; `create` is called once per file. */
export interface LintRule {
  create(context: RuleContext): Visitors
}

/** The path of the file that is linted, relative to the repository. */
export const fileOf = ({ physicalFilename }: RuleContext): string =>
  relative(root, physicalFilename).replaceAll('\\', '/')
