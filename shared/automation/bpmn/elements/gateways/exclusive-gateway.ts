import { defaultFlows, passThrough } from '../../engine/tokens/leave.ts'
import type { NodeElement } from '../element.ts'
import { checkSplit } from './split-flows.ts'

/** A token takes the first flow whose condition holds. */
export const exclusiveGateway: NodeElement = {
  kind: 'gateway',
  type: 'exclusiveGateway',
  line: 'takes the first flow whose condition holds',
  mayChoose: true,
  checkChoice: checkSplit,
  enter: passThrough,
  chooseFlows: async ({ outgoing }, holds) => {
    for (const flow of outgoing) if (!flow.isDefault && (await holds(flow))) return [flow]
    return defaultFlows(outgoing)
  },
}
