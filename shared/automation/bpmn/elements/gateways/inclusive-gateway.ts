import { defaultFlows, flowsThatHold, passThrough } from '../../engine/tokens/leave.ts'
import type { NodeElement } from '../element.ts'
import { checkSplit } from './split-flows.ts'
import { isTokenAhead } from './tokens-ahead.ts'

/** A token takes every flow whose condition holds; a join waits for those that can still come. */
export const inclusiveGateway: NodeElement = {
  kind: 'gateway',
  type: 'inclusiveGateway',
  line: 'takes every flow whose condition holds, and waits for those that were taken',
  mayChoose: true,
  checkChoice: checkSplit,
  arrive: (run, node, token) => {
    if (node.incoming.length > 1) run.suspended.push(token)
    return node.incoming.length <= 1
  },
  mayJoin: (run, node, scope) => !isTokenAhead(run, node, scope),
  enter: passThrough,
  chooseFlows: async ({ outgoing }, holds) => {
    const taken = await flowsThatHold(outgoing, holds)
    return taken.length > 0 ? taken : defaultFlows(outgoing)
  },
}
