import { parseScript } from './read-script.ts'
import { isNode, type SyntaxNode, visit } from './syntax-tree.ts'

/** The members of a variable that a script names; `whole`: it uses the variable otherwise too, so any of them. */
export type VariableUse = ReadonlySet<string> | 'whole'

/**
 * Every name that a script uses, whether or not it defines it, with the members that it names of it. Undefined for a script
 * that cannot be parsed. What makes code of text, or reaches names by text, is a use of `eval`.
 */
export function variableUses(script: string): ReadonlyMap<string, VariableUse> | undefined {
  let tree: unknown
  try {
    tree = parseScript(script)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const members = new Map<string, Set<string>>()
  const names: SyntaxNode[] = []
  /** Names of members, and objects of which only a member is used. */
  const plain = new Set<unknown>()
  let isDynamic = false
  visit(tree, (node) => {
    const { type, object, property, computed } = node
    if (type === 'Identifier') names.push(node)
    if (type === 'ThisExpression' || type === 'WithStatement') isDynamic = true
    if (/^(?:Property|MethodDefinition|PropertyDefinition)$/.test(type) && computed !== true && node.shorthand !== true)
      plain.add(node.key)
    if (/^(?:Labeled|Break|Continue)Statement$/.test(type)) plain.add(node.label)
    if (type !== 'MemberExpression' || !isNode(property)) return
    const name = computed === true ? property.value : property.name
    if (computed !== true) plain.add(property)
    if (name === 'constructor' || name === '__proto__') isDynamic = true
    if (typeof name !== 'string' || !isNode(object) || object.type !== 'Identifier') return
    plain.add(object)
    const known = members.get(String(object.name)) ?? new Set()
    members.set(String(object.name), known.add(name))
  })
  const whole = names.filter((node) => !plain.has(node)).map(({ name }) => [String(name), 'whole'] as const)
  return new Map<string, VariableUse>([...members, ...whole, ...(isDynamic ? [['eval', 'whole'] as const] : [])])
}
