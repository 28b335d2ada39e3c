import type { Flow, FlowNode } from '../../engine/model/graph.ts'

const name = 'waitingForStart'

/**
 * The flows that a complex gateway takes when it begins again: those whose condition is about that. BPMN 2.0.2, 13.4.5
 * has all conditions evaluated then; one that does not ask would send a second token.
 */
export const flowsOfReset = ({ outgoing }: FlowNode): Flow[] =>
  outgoing.filter(({ condition, isDefault }) => !isDefault && condition?.includes(name) === true)
