import { startBoundaryEvents } from '../../engine/tokens/boundary-events.ts'
import { callProcess } from '../../engine/tokens/call-process.ts'
import type { EngineRun } from '../../engine/tokens/engine-run.ts'
import { doWork, performWork } from '../../engine/tokens/perform-work.ts'
import type { NodeElement } from '../element.ts'

/** Calls the process of another template, as an instance of its own about the same record. */
export const callActivity: NodeElement = {
  kind: 'activity',
  type: 'callActivity',
  line: 'runs the process of another template for the same record, and waits until it ends; or a global task of the document',
  attributes: { name: 'CallProps', names: ['version'] },
  holds: ['In', 'Out'],
  mayChoose: true,
  enter: async (run, { call }, position) => {
    if (call?.global === 'work') return doWork(run, position)
    run.tokens.set(position.id, { is: call?.global ?? 'work', ...position })
    if (call?.global === undefined) await callProcess(run, position.id)
    await startBoundaryEvents(run, position.id)
  },
  perform: (run, id) => (isWork(run, id) ? performWork(run, id) : callProcess(run, id)),
}

/** Whether what failed is the work of a global task. */
const isWork = (run: EngineRun, id: string): boolean =>
  run.graph.nodes.get(run.tokens.get(id)?.at ?? '')?.call?.global === 'work'
