import { consumeTokens, tokensAt } from '../../engine/tokens/joins.ts'
import { passThrough } from '../../engine/tokens/leave.ts'
import type { NodeElement } from '../element.ts'

/** A token takes every flow; a join waits for one token of each incoming flow. */
export const parallelGateway: NodeElement = {
  kind: 'gateway',
  type: 'parallelGateway',
  line: 'takes every flow, and waits for all that lead to it',
  arrive: (run, node, token) => {
    run.suspended.push(token)
    const waiting = tokensAt(run, node, token.in)
    if (!node.incoming.every((flow) => waiting.some((each) => each.flow === flow.id))) return false
    consumeTokens(run, node, token.in)
    return true
  },
  enter: passThrough,
  chooseFlows: ({ outgoing }) => outgoing,
}
