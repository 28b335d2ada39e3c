import { isNode, type SyntaxNode, tryToParse, visit } from './syntax-tree.ts'

/**
 * The names that a script uses and defines nowhere, in the order of the text. A name that any part of the script defines,
 * or assigns, counts as defined in all of it. A script that cannot be parsed has none.
 */
export function freeNames(script: string): string[] {
  const used: SyntaxNode[] = []
  const defined = new Set<string>()
  const plain = new Set<unknown>()
  const define = (pattern: unknown): void =>
    visit(pattern, (node) => {
      if (node.type === 'Identifier') defined.add(String(node.name))
    })
  visit(tryToParse(script), (node) => {
    if (node.type === 'Identifier') used.push(node)
    if (node.type === 'MemberExpression' && node.computed !== true) plain.add(node.property)
    if (/^(?:Property|MethodDefinition|PropertyDefinition)$/.test(node.type) && node.computed !== true)
      plain.add(node.key)
    if (/^(?:Labeled|Break|Continue)Statement$/.test(node.type)) plain.add(node.label)
    if (/Function|^Class/.test(node.type)) for (const part of [node.id, node.params]) define(part)
    if (node.type === 'VariableDeclarator') define(node.id)
    if (node.type === 'CatchClause') define(node.param)
    if (node.type === 'AssignmentExpression' && isNode(node.left) && node.left.type === 'Identifier') define(node.left)
  })
  const free = used.filter((node) => !plain.has(node) && !defined.has(String(node.name)))
  return [...new Set(free.sort((one, other) => one.start - other.start).map(({ name }) => String(name)))]
}
