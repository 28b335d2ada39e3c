import { looksLikeCron } from '../../../../kernel/time/cron.ts'
import type { FlowNode, Trigger } from '../../shapes/graph.ts'
import { isFixedTime, timerNames, type Timing, timingOf } from '../../shapes/timing.ts'
import { StepFailure, type EngineRun, type TokenPosition } from './engine-run.ts'
import { evaluate } from './evaluate.ts'

/** Evaluates the timer of an event. @throws StepFailure when its value is not an ISO 8601 time of its kind. */
export async function evaluateTimer(
  run: EngineRun,
  node: FlowNode,
  trigger: Trigger,
  around: TokenPosition | undefined,
): Promise<Timing> {
  if (trigger.on !== 'timer') throw new StepFailure(node.id, `${node.label} has no timer.`)
  const text = trigger.value.trim()
  const value = isFixedTime(text) ? text : await evaluate(run, node, text, 'timer', around)
  const iso = (value instanceof Date ? value.toISOString() : String(value)).trim()
  const zone = looksLikeCron(iso) ? await run.host.timeZone?.() : undefined
  const timing = timingOf(trigger.kind, iso, run.host.now(), zone)
  if (timing === undefined)
    throw new StepFailure(
      node.id,
      `The timer of ${node.label} is '${iso}', which is no ISO 8601 ${timerNames[trigger.kind]}.`,
    )
  // What repeats without end lets a catch event continue once, when its time comes.
  return node.type === 'intermediateCatchEvent' && timing.left === -1 ? { due: timing.due } : timing
}
