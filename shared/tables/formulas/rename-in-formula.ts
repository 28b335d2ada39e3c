import { parseExpression } from 'feelin'

/** A formula with the new names of fields. What cannot be read stays as it is. */
export function renameInFormula(formula: string, renames: ReadonlyMap<string, string>): string {
  const found: { readonly from: number; readonly to: number; readonly name: string }[] = []
  parseExpression(formula, {}, undefined).iterate({
    enter({ node, name }) {
      if (name !== 'VariableName') return
      const isCalled = node.parent?.name === 'FunctionInvocation' && node.parent.firstChild?.from === node.from
      const next = renames.get(formula.slice(node.from, node.to))
      if (next !== undefined && !isCalled) found.push({ from: node.from, to: node.to, name: next })
    },
  })
  return found.toReversed().reduce((text, { from, to, name }) => text.slice(0, from) + name + text.slice(to), formula)
}
