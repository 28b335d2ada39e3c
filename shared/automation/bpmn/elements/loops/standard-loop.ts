import { nodeAt, type EngineRun, type LoopBody, type Token } from '../../engine/tokens/engine-run.ts'
import { evaluate } from '../../engine/tokens/evaluate.ts'
import { beginRounds, endLoop } from '../../engine/tokens/loops.ts'
import { describe } from '../../shapes/bpmn-element.ts'
import type { Loop } from '../../shapes/graph.ts'
import type { LoopElement } from '../element.ts'

type StandardLoop = Loop & { kind: 'standard' }

/** Repeats an activity while a condition holds, or a number of times. */
export const standardLoop: LoopElement = {
  type: 'standardLoopCharacteristics',
  kind: 'standard',
  line: 'repeats an activity while a condition holds, or up to a number of times',
  read: ({ testBefore, loopMaximum, loopCondition }) => ({
    kind: 'standard',
    isTestedBefore: testBefore === true,
    maximum: loopMaximum as number | undefined,
    condition: loopCondition?.body,
  }),
  check: (activity, loop, { report }) => {
    if (loop.loopCondition === undefined && loop.loopMaximum === undefined)
      report(activity, `${describe(activity)} repeats without end; give its loop a loopCondition or a loopMaximum.`)
    else if (loop.loopMaximum !== undefined && !isCount(loop.loopMaximum))
      report(activity, `the loopMaximum of ${describe(activity)} must be a whole number from 1.`)
  },
  begin: (run, body, loop: StandardLoop) =>
    loop.isTestedBefore ? iterateWhile(run, body, loop) : beginRounds(run, body, 1),
  next: iterateWhile,
}

/** The reader of BPMN makes numbers of it, and NaN of what is none. */
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

async function iterateWhile(run: EngineRun, body: LoopBody, loop: StandardLoop, pass?: Token): Promise<void> {
  const isOver =
    (loop.maximum !== undefined && body.done >= loop.maximum) ||
    (loop.condition !== undefined &&
      !(await evaluate(run, nodeAt(run, body.at), loop.condition, 'loop condition', pass ?? body, {
        executionId: body.id,
        variables: { loopCounter: body.done },
      })))
  if (isOver) endLoop(run, body)
  else beginRounds(run, body, 1)
}
