import type { FlowNode } from '../../shapes/graph.ts'
import { cancelScope } from '../tokens/cancel.ts'
import { type EngineRun, nextId, recordEvent } from '../tokens/engine-run.ts'
import { leave } from '../tokens/leave.ts'
import { armEventSubProcesses } from '../tokens/open-scope.ts'
import { assign } from '../tokens/variable-scopes.ts'

/** Starts an event sub-process in a scope. `startId`: the executionId of its start event. */
export async function startEventSubProcess(
  run: EngineRun,
  body: FlowNode,
  start: FlowNode,
  scope: string,
  startId: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (start.isInterrupting) cancelScope(run, scope)
  const id = nextId(run, body)
  recordEvent(run, body.id, id, 'entered')
  run.tokens.set(id, { is: 'scope', id, at: body.id, in: scope })
  assign(run, run.tokens.get(id), variables)
  await armEventSubProcesses(run, body.id, id)
  recordEvent(run, start.id, startId, 'entered')
  recordEvent(run, start.id, startId, 'completed')
  await leave(run, start, id, startId)
}
