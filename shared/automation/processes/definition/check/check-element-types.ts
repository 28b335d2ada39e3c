import { own } from '../../../../kernel/own-members.ts'
import { type BpmnElement, describe, isA, typeOf } from '../read/bpmn-element.ts'
import type { Scope } from '../scopes.ts'
import type { Findings, Report } from './findings.ts'

/** Types that are not supported, and what to use instead. `findUnsupported` adds what the engine cannot run. */
const unsupported: Readonly<Record<string, string>> = {
  complexGateway: 'use exclusive, inclusive or parallel gateways',
  callActivity: 'draw what it calls as a sub-process',
  adHocSubProcess: 'use a sub-process with flows',
  transaction: 'use a sub-process with an error boundary event',
  callChoreography: 'choreographies cannot be run',
  subChoreography: 'choreographies cannot be run',
  choreographyTask: 'choreographies cannot be run',
  implicitThrowEvent: 'use an intermediate throw event',
  messageEventDefinition:
    'nothing delivers messages to a process; use a receive task with wf:completeOn, or a send task with wf:notify',
  signalEventDefinition: 'nothing sends signals to a process; use a receive task with wf:completeOn',
  conditionalEventDefinition: 'use a receive task with wf:completeOn',
  escalationEventDefinition: 'use a timer that does not interrupt, or an error event',
  cancelEventDefinition: 'there are no transactions; use an error event',
  compensateEventDefinition: 'draw what is to be undone as a flow',
}

/** A list of what is allowed, because moddle also reads abstract types like `<bpmn:activity>`. */
const supported = new Set(
  [
    'task userTask manualTask receiveTask serviceTask sendTask scriptTask businessRuleTask subProcess',
    'startEvent endEvent intermediateCatchEvent intermediateThrowEvent boundaryEvent',
    'exclusiveGateway inclusiveGateway parallelGateway eventBasedGateway',
    'timerEventDefinition errorEventDefinition terminateEventDefinition linkEventDefinition',
    'multiInstanceLoopCharacteristics standardLoopCharacteristics',
  ].flatMap((types) => types.split(' ')),
)

const insteadOf = (element: BpmnElement): string | undefined =>
  supported.has(typeOf(element)) ? undefined : (own(unsupported, typeOf(element)) ?? 'use one of another type')

/** Reports elements of types that are not supported. */
export function checkElementTypes({ nodes }: Scope, report: Report): void {
  for (const node of nodes) {
    const instead = insteadOf(node)
    if (instead !== undefined) report(node, `${describe(node)} is of a type that is not supported: ${instead}.`)
    if (node.loopCharacteristics !== undefined && insteadOf(node.loopCharacteristics) !== undefined)
      report(node, `${describe(node)} repeats in a way that is not supported.`)
    if (node.isForCompensation === true) report(node, `${describe(node)} is for compensation, which is not supported.`)
    for (const definition of node.eventDefinitions ?? []) {
      const way = insteadOf(definition)
      if (way !== undefined) report(node, `${describe(node)} is an event of a type that is not supported: ${way}.`)
    }
    if (node.resources?.length) {
      report(
        node,
        `${describe(node)} has BPMN resources (${node.resources.map(typeOf).join(', ')}), which are not read: write wf:assignee, wf:candidateRoles and so on.`,
      )
    }
  }
}

/** Checks that there is one pool at most, a frame around the process, and no message flows. */
export function checkCollaboration(definitions: BpmnElement, { report }: Findings): void {
  for (const collaboration of definitions.rootElements ?? []) {
    if (isA(collaboration, 'Choreography')) report(collaboration, `${describe(collaboration)} cannot be run.`)
    if (!isA(collaboration, 'Collaboration')) continue
    for (const pool of collaboration.participants?.slice(1) ?? [])
      report(pool, `${describe(pool)} is a second pool; a template holds one process, so one pool at most.`)
    if (collaboration.messageFlows?.length)
      report(collaboration, `${describe(collaboration)} holds message flows, which are not supported.`)
  }
}
