import { type Budget, outside } from './values.ts'

/** What a pattern may take: ways to match, of which none is tried twice. More are left to the sandbox, which can be stopped. */
const maxMatchSteps = 1_000_000

const literal = String.raw`[\w \-@#%&=:;,'"<>!~\`/]|\\[.\-/*+?^$()[\]{}|\\dws]`
const listed = String.raw`(?:[\w .@#%&=:;,'"<>!~\`/*+?$(){}|-]|\\[.\-/*+?^$()[\]{}|\\dws])`
const quantifier = String.raw`[*+?]\??|\{\d{1,2}(?:,(?:\d{1,2})?)?\}\??`
const part = new RegExp(String.raw`(?:\.|${literal}|\[\^?${listed}+\])(${quantifier})?`, 'y')

/**
 * A regular expression without groups: characters, classes, repetitions, anchors at both ends, alternatives. How long it takes
 * follows from its repetitions and the text, so that it may run outside of the sandbox; and on ASCII all engines agree.
 */
export function simplePattern(source: string, flags: string): (text: string, budget: Budget) => boolean {
  if (!/^i?$/.test(flags)) return outside()
  const costs = source.split(/(?<!\\)\|/).map(costOf)
  const pattern = new RegExp(source, flags)
  return (text, budget) => {
    const steps = costs.reduce((sum, cost) => sum + cost(text.length + 1), 0)
    if (steps > maxMatchSteps || !/^\p{ASCII}*$/u.test(text)) return outside()
    budget.read(Math.max(text.length, Math.ceil(steps / 2)))
    return pattern.test(text)
  }
}

/** In how many ways an alternative may be tried on a text of this length. */
function costOf(alternative: string): (length: number) => number {
  const isAnchored = alternative.startsWith('^')
  const content = alternative.slice(isAnchored ? 1 : 0, alternative.endsWith('$') ? -1 : undefined)
  let loops = isAnchored ? 0 : 1
  let choices = 1
  let parts = 1
  part.lastIndex = 0
  while (part.lastIndex < content.length) {
    const found = part.exec(content)
    if (found === null) return outside()
    parts += 1
    const [, repeated = ''] = found
    if (repeated.startsWith('?')) choices *= 2
    else if (/^[*+]|,/.test(repeated)) loops += 1
    else if (repeated !== '') parts += Number(/\d+/.exec(repeated))
  }
  return (length) => parts * choices * length ** loops
}
