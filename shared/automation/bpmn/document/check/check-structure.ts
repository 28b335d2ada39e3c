import { maxElementIdCharacters } from '../../../../kernel/limits/processes.ts'
import type { Check } from '../../elements/element.ts'
import { elements, insteadOf } from '../../elements/registry.ts'
import { type BpmnElement, describe, isA, typeOf } from '../../shapes/bpmn-element.ts'
import type { Report } from '../../shapes/findings.ts'
import { isEventSubProcess, linksOf, type Links, type Scope } from '../../shapes/scopes.ts'

/** Checks how the elements of one process or sub-process are connected. */
export function checkStructure(scope: Scope, check: Check): void {
  const { report } = check
  for (const element of [...scope.nodes, ...scope.flows]) {
    if ((element.id?.length ?? 0) > maxElementIdCharacters)
      report(element, `${describe(element)} has an id of more than ${maxElementIdCharacters} characters.`)
  }
  for (const flow of scope.flows) checkFlow(flow, report)
  for (const node of scope.nodes) elements.nodeOf(node)?.checkPosition?.(node, scope, check)
  const links = linksOf(scope)
  for (const node of scope.nodes) elements.nodeOf(node)?.checkFlows?.(node, links, check)
  const starts = checkStarts(scope, links, report)
  // Without a start, nothing would be reachable.
  if (starts.length > 0) checkReach(scope, links, starts, report)
}

function checkFlow(flow: BpmnElement, report: Report): void {
  for (const end of ['sourceRef', 'targetRef'] as const) {
    const node = flow[end]
    if (node === undefined) report(flow, `${describe(flow)} needs a ${end} that exists.`)
    // `checkReferences` reports ends that are not flow nodes.
    else if (isA(node, 'FlowNode') && node.$parent !== flow.$parent) {
      report(
        flow,
        `${describe(flow)} crosses the border of a sub-process: its ${end}, ${describe(node)}, is in another one.`,
      )
    }
  }
}

/**
 * Answers where it starts. There must be one start event without a trigger at most (several would all start at once), or none: then what no flow
 * leads to starts (BPMN 2.0.2, 13.2.1).
 */
function checkStarts(scope: Scope, { to }: Links, report: Report): readonly BpmnElement[] {
  const { owner, nodes } = scope
  const starts = nodes.filter((node) => elements.nodeOf(node)?.isStart)
  const triggered = starts.filter(({ eventDefinitions }) => eventDefinitions?.length)
  if (starts.length === 0) {
    const implicit = isEventSubProcess(owner)
      ? []
      : nodes.filter((node) => !to.has(node) && !isAttached(node) && !isReachedWithoutFlow(node))
    if (implicit.length === 0) report(owner, `${describe(owner)} needs a start event.`, 'incomplete')
    return implicit
  }
  const plain = isA(owner, 'SubProcess') ? starts : starts.filter((start) => !triggered.includes(start))
  for (const start of plain.slice(1))
    report(start, `${describe(owner)} can have one start event only; remove ${describe(start)}.`)
  if (isEventSubProcess(owner)) {
    for (const start of starts)
      if (!triggered.includes(start))
        report(start, `${describe(start)} starts an event sub-process and needs to say on what event.`, 'incomplete')
  } else if (isA(owner, 'SubProcess')) {
    for (const start of triggered.filter(isKnown))
      report(start, `${describe(start)} cannot wait for an event: the flow that leads to it starts a sub-process.`)
  }
  return starts
}

function checkReach(scope: Scope, links: Links, starts: readonly BpmnElement[], report: Report): void {
  for (const node of notReached(scope, links, starts))
    report(node, `${describe(node)} cannot be reached from the start event.`)
}

/** The elements of a scope to which no flow leads from where it starts. */
export function unreachedNodes(scope: Scope): readonly BpmnElement[] {
  const links = linksOf(scope)
  const starts = scope.nodes.filter((node) => elements.nodeOf(node)?.isStart)
  return starts.length === 0 ? [] : notReached(scope, links, starts)
}

function notReached({ nodes }: Scope, { from }: Links, starts: readonly BpmnElement[]): readonly BpmnElement[] {
  const attached = Map.groupBy(nodes.filter(isAttached), ({ attachedToRef }) => attachedToRef)
  const reached = new Set<BpmnElement>()
  const pending = [...starts, ...nodes.filter((node) => isReachedWithoutFlow(node) || node.instantiate === true)]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    pending.push(...(attached.get(node) ?? []), ...(from.get(node) ?? []).flatMap(({ targetRef }) => targetRef ?? []))
  }
  // An attached event is reachable when its activity is; that one is reported.
  return nodes.filter((node) => !reached.has(node) && !isAttached(node))
}

/** Whether all its events are of types that are supported: the others are reported as such. */
const isKnown = ({ eventDefinitions = [] }: BpmnElement): boolean =>
  eventDefinitions.every((definition) => insteadOf(typeOf(definition)) === undefined)

const isReachedWithoutFlow = (node: BpmnElement): boolean =>
  // `checkCompensation` checks what leads to these.
  node.isForCompensation === true || elements.nodeOf(node)?.isReachedWithoutFlow?.(node) === true

const isAttached = (node: BpmnElement): boolean => elements.nodeOf(node)?.isAttached === true
