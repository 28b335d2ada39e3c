import { startBoundaryEvents } from '../../engine/tokens/boundary-events.ts'
import { callProcess } from '../../engine/tokens/call-process.ts'
import type { NodeElement } from '../element.ts'

/** Calls the process of another template, as an instance of its own about the same record. */
export const callActivity: NodeElement = {
  kind: 'activity',
  type: 'callActivity',
  line: 'runs the process of another template for the same record, and waits until it ends',
  attributes: { name: 'CallProps', names: ['version'] },
  holds: ['In', 'Out'],
  mayChoose: true,
  enter: async (run, _node, position) => {
    run.tokens.set(position.id, { is: 'work', ...position })
    await callProcess(run, position.id)
    await startBoundaryEvents(run, position.id)
  },
  perform: callProcess,
}
