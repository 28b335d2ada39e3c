import { isNode, type SyntaxNode, tryToParse, visit } from './syntax-tree.ts'

/**
 * The members of a variable that a script sets, by an assignment, `++` or `Object.assign` with an object that is written
 * out, in the order of the alphabet. A script that cannot be parsed has none.
 */
export function memberWrites(script: string, variable: string): string[] {
  const names = new Set<string>()
  const add = (target: unknown): void =>
    visit(target, ({ type, object, property, computed }) => {
      if (type !== 'MemberExpression' || !isNode(object) || object.name !== variable || !isNode(property)) return
      const name = computed === true ? property.value : property.name
      if (typeof name === 'string') names.add(name)
    })
  visit(tryToParse(script), (node) => {
    if (node.type === 'AssignmentExpression') add(node.left)
    if (node.type === 'UpdateExpression') add(node.argument)
    for (const name of assigned(node, variable)) names.add(name)
  })
  return [...names].sort()
}

/** The names of `Object.assign(variable, { ... })`. */
function assigned({ type, callee, arguments: given }: SyntaxNode, variable: string): string[] {
  if (type !== 'CallExpression' || !isNode(callee) || !Array.isArray(given)) return []
  const { object, property } = callee
  const [target, ...sources] = given as readonly unknown[]
  const isAssign = isNode(object) && object.name === 'Object' && isNode(property) && property.name === 'assign'
  if (!isAssign || !isNode(target) || target.name !== variable) return []
  return sources
    .flatMap((source) => (isNode(source) && Array.isArray(source.properties) ? (source.properties as unknown[]) : []))
    .flatMap((member) =>
      isNode(member) && member.computed !== true && isNode(member.key)
        ? [String(member.key.name ?? member.key.value)]
        : [],
    )
}
