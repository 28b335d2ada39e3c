import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import { isVariable } from '../read/read-work.ts'
import { stopping, translateText } from './translate-text.ts'
import { quoted, type VendorElement, type VendorHost, type VendorWord, wordOf } from './vendor-words.ts'

/** Reads what a call activity calls, which version of it, and with which variables, in the words of other engines. */
export function adoptCall(host: VendorHost): void {
  const { node } = host
  const [zeebe] = host.takeElements('zeebe', 'calledElement')
  const called = typeof node.calledElement === 'string' ? node.calledElement : undefined
  const named = called ?? (zeebe && wordOf(zeebe, 'processId')?.text)
  const translated = named === undefined || named.startsWith('=') ? named : translateText(named)
  if (translated !== undefined) node.calledElement = translated
  else if (named !== undefined)
    host.warn(
      `has calledElement="${named.slice(0, 80)}", which the service cannot evaluate; write the code of a template`,
    )
  adoptCase(host)
  adoptBinding(host, zeebe)
  const made = [...adoptInput(host, zeebe), ...adoptOutput(host, zeebe)]
  if (made.length === 0) return
  const extensions = (node.extensionElements ??= { $type: 'bpmn:ExtensionElements', $attrs: {}, values: [] })
  extensions.values = [...(extensions.values ?? []), ...made]
}

/** Cases (CMMN) are not run here. */
function adoptCase(host: VendorHost): void {
  const { node } = host
  const named = typeof node.calledElement === 'string' && node.calledElement.trim() !== ''
  const word = named ? undefined : host.take('caseRef')
  if (word === undefined) return
  for (const name of ['caseBinding', 'caseVersion', 'caseTenantId']) host.take(name)
  node.calledElement = stopping(`The case ${word.text.slice(0, 80)} cannot be called.`)
  host.warn(`has ${quoted(word)}, and cases are not run here: it stops there; write the code of a template`)
}

function adoptBinding(host: VendorHost, zeebe: VendorElement | undefined): void {
  const { node } = host
  const binding = host.take('calledElementBinding') ?? (zeebe && wordOf(zeebe, 'bindingType'))
  const same = host.take('sameDeployment')
  if (binding?.text === 'deployment' || same?.text === 'true') node.version ??= 'pinned'
  else if (binding !== undefined && binding.text !== 'latest' && binding.text !== '')
    host.warn(`has ${quoted(binding)}, which means nothing here: the latest version is called; use wf:version="pinned"`)
  const kind = host.take('calledElementType')
  if (kind !== undefined && kind.text !== 'key')
    host.warn(`has ${quoted(kind)}, which means nothing here: calledElement is the code of a template`)
  // The record is what both processes are about.
  for (const name of ['businessKey', 'inheritBusinessKey', 'fallbackToDefaultTenant', 'completeAsync']) host.take(name)
  for (const name of ['calledElementVersion', 'calledElementVersionTag', 'calledElementTenantId']) {
    const word = host.take(name)
    if (word !== undefined) host.warn(`has ${quoted(word)}, which means nothing here; use wf:version="pinned"`)
  }
}

type Mapped = 'wf:In' | 'wf:Out'
const allOf = ($type: Mapped): BpmnElement => ({ $type, $attrs: {}, variables: 'all' })

function adoptInput(host: VendorHost, zeebe: VendorElement | undefined): BpmnElement[] {
  const inherits = host.take('inheritVariables')?.text === 'true'
  const passes = zeebe !== undefined && zeebe.propagateAllParentVariables !== 'false'
  const made = host.takeElements('uel', 'in').flatMap((element) => mapped(host, element, 'wf:In'))
  const isAll = made.some(({ variables }) => variables !== undefined)
  return [...((inherits || passes) && !isAll ? [allOf('wf:In')] : []), ...made]
}

function adoptOutput(host: VendorHost, zeebe: VendorElement | undefined): BpmnElement[] {
  // Those of its mapping are made already.
  const isMapped = (host.node.extensionElements?.values ?? []).some(({ $type }) => $type === 'wf:Out')
  const returns =
    zeebe !== undefined &&
    (zeebe.propagateAllChildVariables === 'true' || (zeebe.propagateAllChildVariables !== 'false' && !isMapped))
  const made = host.takeElements('uel', 'out').flatMap((element) => mapped(host, element, 'wf:Out'))
  return [...(returns ? [allOf('wf:Out')] : []), ...made]
}

/** `camunda:in` and `camunda:out`. */
function mapped(host: VendorHost, element: VendorElement, $type: Mapped): BpmnElement[] {
  if (element.variables === 'all') return [allOf($type)]
  if (element.businessKey !== undefined) return []
  const target = String(element.target ?? '').trim()
  const source = wordOf(element, 'source')
  const expression = wordOf(element, 'sourceExpression')
  const value = expression && translateText(expression.text)
  if (isVariable(target)) {
    if (source !== undefined && isVariable(source.text)) return [{ $type, $attrs: {}, target, source: source.text }]
    if (value !== undefined) return [{ $type, $attrs: {}, target, value }]
  }
  const word: VendorWord | undefined = expression ?? source
  host.warn(
    `has <${element.$type}> of "${target}"${word === undefined ? '' : ` (${quoted(word)})`}, which the service cannot evaluate; use ${$type === 'wf:In' ? 'wf:in' : 'wf:out'}`,
  )
  return []
}
