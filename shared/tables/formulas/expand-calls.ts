import { parseExpression } from 'feelin'

/** Functions that engines add to FEEL, and that are short for what FEEL says itself. */
const added = /\b(?:is\s+defined|cycle)\s*\(/

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Writes what Camunda adds to FEEL in the words of FEEL: `is defined(x)` is `x != null`, and `cycle(3, duration("PT1H"))`
 * the repeating interval `R3/PT1H`. Calls with other parameters stay as they are.
 */
export function expandCalls(source: string): string {
  if (!added.test(source)) return source
  const edits: Edit[] = []
  parseExpression(source, {}, undefined).iterate({
    enter({ node, name }) {
      if (name !== 'FunctionInvocation') return
      const called = node.firstChild
      const given = node.getChild('PositionalParameters')
      if (!called || !given) return
      const values = childrenOf(given).filter((child) => /^[A-Z]|^null$/.test(child.name))
      const parts = partsOf(source.slice(called.from, called.to).replaceAll(/\s+/g, ' '), values.length)
      if (parts === undefined) return
      // The text around its values, which may hold such calls themselves.
      for (const [index, text] of parts.entries())
        edits.push({ from: values[index - 1]?.to ?? node.from, to: values[index]?.from ?? node.to, text })
    },
  })
  return edits
    .toSorted((one, other) => other.from - one.from || other.to - one.to)
    .reduce((text, { from, to, text: replacement }) => text.slice(0, from) + replacement + text.slice(to), source)
}

/** What is written before, between and after the values of a call. */
function partsOf(name: string, values: number): readonly string[] | undefined {
  if (name === 'is defined' && values === 1) return ['((', ') != null)']
  if (name === 'cycle' && values === 1) return ['("R/" + string(', '))']
  return name === 'cycle' && values === 2 ? ['("R" + string(', ') + "/" + string(', '))'] : undefined
}

type Node = ReturnType<typeof parseExpression>['topNode']

function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}
