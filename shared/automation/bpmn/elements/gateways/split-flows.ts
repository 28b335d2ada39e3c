import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { Flow, FlowNode } from '../../shapes/graph.ts'
import type { Links } from '../../shapes/scopes.ts'
import type { Check } from '../element.ts'

/** Checks that each flow out of a gateway that chooses says when it is taken. */
export function checkSplit(gateway: BpmnElement, { from }: Links, { report }: Check): void {
  const outgoing = from.get(gateway) ?? []
  if (outgoing.length < 2) return
  const open = outgoing.filter((flow) => flow !== gateway.default && flow.conditionExpression === undefined)
  if (open.length === 0) return
  const flows = open.map(describe).join(', ')
  report(
    gateway,
    `${describe(gateway)} parts into several flows, so each but the default needs a condition; without one: ${flows}.`,
    'incomplete',
  )
}

const name = 'waitingForStart'

/**
 * The flows that a complex gateway takes when it begins again: those whose condition is about that. BPMN 2.0.2, 13.4.5
 * has all conditions evaluated then; one that does not ask would send a second token.
 */
export const flowsOfReset = ({ outgoing }: FlowNode): Flow[] =>
  outgoing.filter(({ condition, isDefault }) => !isDefault && condition?.includes(name) === true)
