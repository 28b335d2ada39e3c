import { cancel } from './cancel.ts'
import { type EngineRun, nodeAt, recordEvent } from './engine-run.ts'
import { leave } from './leave.ts'
import { endIteration } from './loops.ts'

/** Completes an activity or event: continues along its flows or with the next iteration of its loop. */
export async function finish(run: EngineRun, id: string): Promise<void> {
  const token = run.tokens.get(id)
  if (token === undefined) return
  const node = nodeAt(run, token.at)
  // Timers that never fired (boundary events, event sub-processes) end with it and are not recorded.
  for (const each of run.tokens.values())
    if (each.is === 'alarm' ? each.in === id : each.is === 'watch' && each.host === id) run.tokens.delete(each.id)
  run.tokens.delete(id)
  recordEvent(run, node.id, id, 'completed')
  if (token.gate !== undefined) closeGate(run, token.gate)
  if (token.loop === undefined) await leave(run, node, token.in, id)
  else await endIteration(run, token.loop)
}

/** The first event completes the event-based gateway and cancels the others. */
function closeGate(run: EngineRun, id: string): void {
  const gate = run.tokens.get(id)
  if (gate === undefined) return
  for (const each of run.tokens.values()) if (each.gate === id) cancel(run, each.id)
  run.tokens.delete(id)
  recordEvent(run, gate.at, id, 'completed')
}
