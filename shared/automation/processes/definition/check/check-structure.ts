import { maxElementIdCharacters } from '../../../../kernel/limits/processes.ts'
import { type BpmnElement, describe, isA } from '../read/bpmn-element.ts'
import { linksOf, type Scope } from '../scopes.ts'
import { type Report } from './findings.ts'

/** Checks how the elements of one process or sub-process are connected. */
export function checkStructure(scope: Scope, report: Report): void {
  for (const element of [...scope.nodes, ...scope.flows]) {
    if (element.id === undefined) report(element, `${describe(element)} in ${describe(scope.owner)} needs an id.`)
    else if (element.id.length > maxElementIdCharacters)
      report(element, `${describe(element)} has an id of more than ${maxElementIdCharacters} characters.`)
  }
  for (const flow of scope.flows) checkFlow(flow, report)
  for (const node of scope.nodes) if (isA(node, 'BoundaryEvent')) checkBoundary(node, scope, report)
  checkEnds(scope, report)
  const starts = checkStarts(scope, report)
  // Without a start, nothing would be reachable.
  if (starts.length > 0) checkReach(scope, starts, report)
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

function checkBoundary(event: BpmnElement, { nodes, flows }: Scope, report: Report): void {
  const host = event.attachedToRef
  if (host === undefined)
    report(event, `${describe(event)} must be attached to a task or sub-process that exists (attachedToRef).`)
  else if (isA(host, 'Activity') && !nodes.includes(host))
    report(event, `${describe(event)} stands in another sub-process than what it is attached to, ${describe(host)}.`)
  if (flows.some(({ targetRef }) => targetRef === event))
    report(event, `${describe(event)} cannot have incoming flows.`)
  if (!event.eventDefinitions?.length)
    report(event, `${describe(event)} needs to say what it catches: a timer or an error.`)
}

function checkEnds(scope: Scope, report: Report): void {
  const { from, to } = linksOf(scope)
  for (const node of scope.nodes) {
    if (isA(node, 'StartEvent') && to.has(node)) report(node, `${describe(node)} cannot have incoming flows.`)
    if (isA(node, 'EndEvent') && from.has(node)) report(node, `${describe(node)} cannot have outgoing flows.`)
    if (isEventSubProcess(node) && (from.has(node) || to.has(node)))
      report(node, `${describe(node)} is triggered by an event and cannot have flows to or from it.`)
  }
}

const isEventSubProcess = (node: BpmnElement): boolean => isA(node, 'SubProcess') && node.triggeredByEvent === true

/** Answers the start events. There must be exactly one: several would all start at once. */
function checkStarts({ owner, nodes }: Scope, report: Report): readonly BpmnElement[] {
  const starts = nodes.filter((node) => isA(node, 'StartEvent'))
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

function checkReach(scope: Scope, starts: readonly BpmnElement[], report: Report): void {
  const { from } = linksOf(scope)
  const attached = Map.groupBy(
    scope.nodes.filter((node) => isA(node, 'BoundaryEvent')),
    ({ attachedToRef }) => attachedToRef,
  )
  const reached = new Set<BpmnElement>()
  const pending = [...starts, ...scope.nodes.filter((node) => isEventSubProcess(node) || isLinkCatch(node))]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    pending.push(...(attached.get(node) ?? []), ...(from.get(node) ?? []).flatMap(({ targetRef }) => targetRef ?? []))
  }
  for (const node of scope.nodes) {
    // A boundary event is reachable when its activity is; that one is reported.
    if (!reached.has(node) && !isA(node, 'BoundaryEvent'))
      report(node, `${describe(node)} cannot be reached from the start event.`)
  }
}

const isLinkCatch = (node: BpmnElement): boolean =>
  isA(node, 'IntermediateCatchEvent') &&
  node.eventDefinitions?.some((definition) => isA(definition, 'LinkEventDefinition')) === true
