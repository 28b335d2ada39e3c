import { cancelScope } from '../../engine/tokens/cancel.ts'
import { recordEvent } from '../../engine/tokens/engine-run.ts'
import type { TriggerElement } from '../element.ts'

/** Ends everything else of its process or sub-process. */
export const terminate: TriggerElement = {
  type: 'terminateEventDefinition',
  on: 'terminate',
  line: 'ends everything of its process or sub-process',
  positions: ['end'],
  read: () => ({ on: 'terminate' }),
  end: (run, node, position) => {
    cancelScope(run, position.in)
    recordEvent(run, node.id, position.id, 'completed')
  },
}
