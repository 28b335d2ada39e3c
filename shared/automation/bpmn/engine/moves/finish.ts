import type { FlowNode } from '../../shapes/graph.ts'
import { noteCompleted } from '../events/compensate.ts'
import { endsAdHoc } from '../tokens/ad-hoc.ts'
import { cancel, removeToken } from '../tokens/cancel.ts'
import { type EngineRun, type LoopBody, nodeAt, recordEvent } from '../tokens/engine-run.ts'
import { leave } from '../tokens/leave.ts'
import { endIteration } from '../tokens/loops.ts'
import { mapOut } from '../tokens/map-variables.ts'
import { assign } from '../tokens/variable-scopes.ts'

/** Completes an activity or event: continues along its flows or with the next iteration of its loop. */
export async function finish(run: EngineRun, id: string): Promise<void> {
  const token = run.tokens.get(id)
  if (token === undefined) return
  const node = nodeAt(run, token.at)
  if (token.is === 'loop') collectOutputs(run, node, token)
  // A sub-process that was opened again to be compensated hands nothing over.
  else if (token.compensation === undefined || node.isForCompensation) await mapOut(run, node, token)
  noteCompleted(run, node, token)
  // Events that never occurred (boundary events, event sub-processes) end with it and are not recorded.
  for (const each of run.tokens.values())
    if (each.is === 'alarm' ? each.in === id : each.is === 'watch' && each.host === id) removeToken(run, each.id)
  for (const each of run.tokens.values()) if (each.is === 'part' && each.of === id) run.tokens.delete(each.id)
  run.tokens.delete(id)
  recordEvent(run, node.id, id, 'completed')
  if (token.gate !== undefined) closeGate(run, token.gate)
  if (token.compensation !== undefined) return void run.moves.unshift({ do: 'compensate', id: token.compensation })
  const task = ('ended' in token ? token.ended : undefined) ?? token.task
  if (token.loop !== undefined) return await endIteration(run, { ...token, ...(task && { task }) }, token.loop)
  if (!(await endsAdHoc(run, token.in, task))) await leave(run, node, token.in, id, task)
}

/** What the passes of a multi-instance activity handed over becomes a list, in their order. */
function collectOutputs(run: EngineRun, { loop }: FlowNode, { in: scope, total = 0, outputs = {} }: LoopBody): void {
  if (loop?.kind !== 'multi' || loop.output === undefined) return
  const list = Array.from({ length: total }, (_, index) => outputs[index] ?? null)
  assign(run, run.tokens.get(scope), { [loop.output.variable]: list })
}

/** The first event completes the event-based gateway and cancels the others. */
function closeGate(run: EngineRun, id: string): void {
  const gate = run.tokens.get(id)
  if (gate === undefined) return
  for (const each of run.tokens.values()) if (each.gate === id) cancel(run, each.id)
  run.tokens.delete(id)
  recordEvent(run, gate.at, id, 'completed')
}
