import { maxElementIdCharacters } from '../../../../kernel/limits/processes.ts'
import type { Check } from '../../elements/element.ts'
import { elements } from '../../elements/registry.ts'
import { type BpmnElement, describe, isA } from '../read/bpmn-element.ts'
import { isEventSubProcess, linksOf, type Links, type Scope } from '../scopes.ts'
import type { Report } from './findings.ts'

/** Checks how the elements of one process or sub-process are connected. */
export function checkStructure(scope: Scope, check: Check): void {
  const { report } = check
  for (const element of [...scope.nodes, ...scope.flows]) {
    if (element.id === undefined) report(element, `${describe(element)} in ${describe(scope.owner)} needs an id.`)
    else if (element.id.length > maxElementIdCharacters)
      report(element, `${describe(element)} has an id of more than ${maxElementIdCharacters} characters.`)
  }
  for (const flow of scope.flows) checkFlow(flow, report)
  for (const node of scope.nodes) elements.nodeOf(node)?.checkPosition?.(node, scope, check)
  const links = linksOf(scope)
  for (const node of scope.nodes) elements.nodeOf(node)?.checkFlows?.(node, links, check)
  const starts = checkStarts(scope, report)
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

/** Answers the start events. There must be exactly one: several would all start at once. */
function checkStarts({ owner, nodes }: Scope, report: Report): readonly BpmnElement[] {
  const starts = nodes.filter((node) => elements.nodeOf(node)?.isStart)
  const triggered = starts.filter(({ eventDefinitions }) => eventDefinitions?.length)
  if (starts.length === 0) report(owner, `${describe(owner)} needs a start event.`)
  for (const start of starts.slice(1))
    report(start, `${describe(owner)} can have one start event only; remove ${describe(start)}.`)
  if (isEventSubProcess(owner)) {
    for (const start of starts)
      if (!triggered.includes(start))
        report(start, `${describe(start)} starts an event sub-process and needs to say on what event.`)
  } else {
    const instead = isA(owner, 'SubProcess')
      ? 'the flow that leads to it starts a sub-process'
      : 'records and people start a process'
    for (const start of triggered) report(start, `${describe(start)} cannot wait for an event: ${instead}.`)
  }
  return starts
}

function checkReach({ nodes }: Scope, { from }: Links, starts: readonly BpmnElement[], report: Report): void {
  const attached = Map.groupBy(nodes.filter(isAttached), ({ attachedToRef }) => attachedToRef)
  const reached = new Set<BpmnElement>()
  const pending = [...starts, ...nodes.filter((node) => elements.nodeOf(node)?.isReachedWithoutFlow?.(node))]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    pending.push(...(attached.get(node) ?? []), ...(from.get(node) ?? []).flatMap(({ targetRef }) => targetRef ?? []))
  }
  for (const node of nodes) {
    // An attached event is reachable when its activity is; that one is reported.
    if (!reached.has(node) && !isAttached(node))
      report(node, `${describe(node)} cannot be reached from the start event.`)
  }
}

const isAttached = (node: BpmnElement): boolean => elements.nodeOf(node)?.isAttached === true
