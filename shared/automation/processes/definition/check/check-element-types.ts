import type { Check } from '../../elements/element.ts'
import { insteadOf } from '../../elements/registry.ts'
import { type BpmnElement, describe, isA, typeOf } from '../read/bpmn-element.ts'
import type { Scope } from '../scopes.ts'
import type { Findings } from './findings.ts'

/** Reports elements of types that are not supported. */
export function checkElementTypes({ nodes }: Scope, { report }: Check): void {
  for (const node of nodes) {
    const instead = insteadOf(typeOf(node))
    if (instead !== undefined) report(node, `${describe(node)} is of a type that is not supported: ${instead}.`)
    if (node.loopCharacteristics !== undefined && insteadOf(typeOf(node.loopCharacteristics)) !== undefined)
      report(node, `${describe(node)} repeats in a way that is not supported.`)
    if (node.isForCompensation === true) report(node, `${describe(node)} is for compensation, which is not supported.`)
    for (const definition of node.eventDefinitions ?? []) {
      const way = insteadOf(typeOf(definition))
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
