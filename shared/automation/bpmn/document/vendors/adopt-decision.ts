import { translateText } from './translate-text.ts'
import { quoted, type VendorHost, wordOf } from './vendor-words.ts'

/** Reads which decision a business rule task evaluates, in the words of other engines. */
export function adoptDecision(host: VendorHost): void {
  const { node, take, warn } = host
  const [zeebe] = host.takeElements('zeebe', 'calledDecision')
  const named = take('decisionRef') ?? (zeebe && wordOf(zeebe, 'decisionId'))
  if (named === undefined) return
  const text = translateText(named.text)
  if (text !== undefined && text !== '') node.decision ??= text
  else warn(`has ${quoted(named)}, which the service cannot evaluate; use wf:decision`)
  const result = take('resultVariable') ?? (zeebe && wordOf(zeebe, 'resultVariable'))
  if (result !== undefined && result.text !== '') node.resultVariable ??= result.text
  const binding = take('decisionRefBinding') ?? (zeebe && wordOf(zeebe, 'bindingType'))
  if (binding?.text === 'deployment') node.version ??= 'pinned'
  else if (binding !== undefined && binding.text !== 'latest' && binding.text !== '')
    warn(`has ${quoted(binding)}, which means nothing here: the latest version is evaluated; use wf:version="pinned"`)
  for (const name of ['decisionRefVersion', 'decisionRefVersionTag', 'decisionRefTenantId']) {
    const word = take(name)
    if (word !== undefined) warn(`has ${quoted(word)}, which means nothing here; use wf:version="pinned"`)
  }
  const mapped = take('mapDecisionResult')
  if (mapped !== undefined && mapped.text !== 'singleEntry' && mapped.text !== 'collectEntries')
    warn(
      `has ${quoted(mapped)}, which means nothing here: one output answers its value, several their values by name, and a list of them when several rules answer`,
    )
}
