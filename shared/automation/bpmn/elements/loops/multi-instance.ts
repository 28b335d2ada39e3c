import { maxLoopIterations } from '../../../../kernel/limits/processes.ts'
import { throwLoopEvents } from '../../engine/events/throw-loop-events.ts'
import {
  nodeAt,
  StepFailure,
  type EngineRun,
  type LoopBody,
  type Token,
  type TokenPosition,
} from '../../engine/tokens/engine-run.ts'
import { evaluate } from '../../engine/tokens/evaluate.ts'
import { beginRounds, endLoop } from '../../engine/tokens/loops.ts'
import { countsOf } from '../../engine/tokens/variable-scopes.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import type { FlowNode, Loop } from '../../shapes/graph.ts'
import { finding } from '../../shapes/moddle-elements.ts'
import type { Check, LoopElement } from '../element.ts'

type MultiInstance = Loop & { kind: 'multi' }

/** Runs an activity once for each element of a collection, or a number of times; at once or one after another. */
export const multiInstance: LoopElement = {
  type: 'multiInstanceLoopCharacteristics',
  kind: 'multi',
  line: 'runs an activity for each element of a collection, or a number of times, at once or one after another',
  attributes: { name: 'LoopProps', names: ['collection', 'elementVariable', 'outputCollection', 'outputElement'] },
  read: ({
    isSequential,
    loopCardinality,
    collection,
    elementVariable,
    outputCollection,
    outputElement,
    completionCondition,
  }) => ({
    kind: 'multi',
    isSequential: isSequential === true,
    cardinality: loopCardinality?.body,
    collection: collection as string | undefined,
    itemVariable: elementVariable as string | undefined,
    until: completionCondition?.body,
    ...(typeof outputCollection === 'string' &&
      typeof outputElement === 'string' && { output: { variable: outputCollection, value: outputElement } }),
  }),
  check,
  unsupported: findUnsupported,
  open: sizeOf,
  begin: (run, body, loop: MultiInstance) => {
    if (body.total === 0) run.moves.unshift({ do: 'finish', id: body.id })
    else beginRounds(run, body, loop.isSequential ? 1 : (body.total ?? 0))
  },
  next: async (run, before, loop: MultiInstance, pass) => {
    const body = loop.output === undefined ? before : await withOutput(run, before, loop.output.value, pass)
    if ((await throwLoopEvents(run, body, pass)) === 'ended') return
    if (loop.until !== undefined && (await isEnough(run, body, loop.until, pass))) return endLoop(run, body)
    if (body.done === body.total) return endLoop(run, body)
    if (loop.isSequential) beginRounds(run, body, 1)
  },
}

function check(
  activity: BpmnElement,
  loop: BpmnElement,
  { report, conditionProblem, expressionKind, isVariable }: Check,
): void {
  const collection = loop.collection as string | undefined
  const variable = loop.elementVariable as string | undefined
  if (collection === undefined && loop.loopCardinality === undefined) {
    report(
      activity,
      `${describe(activity)} is to run several times; give it a wf:collection (like \${variables.approvers}) or a loopCardinality.`,
    )
  }
  const fault = collection === undefined ? undefined : conditionProblem(collection)
  if (fault !== undefined)
    report(
      activity,
      `the wf:collection of ${describe(activity)} is not ${expressionKind(collection)}: ${fault}.`,
      'invalid_expression',
    )
  const output = loop.outputCollection as string | undefined
  const element = loop.outputElement as string | undefined
  if ((output === undefined) !== (element === undefined))
    report(activity, `${describe(activity)} needs both wf:outputCollection and wf:outputElement, or neither.`)
  if (output !== undefined && !isVariable(output))
    report(activity, `${describe(activity)}: wf:outputCollection="${output}" is no name for a variable.`)
  const outputFault = element === undefined ? undefined : conditionProblem(element)
  if (outputFault !== undefined)
    report(
      activity,
      `the wf:outputElement of ${describe(activity)} is not ${expressionKind(element)}: ${outputFault}.`,
      'invalid_expression',
    )
  if (variable !== undefined && !isVariable(variable))
    report(activity, `${describe(activity)}: wf:elementVariable="${variable}" is no name for a variable.`)
}

function findUnsupported(activity: BpmnElement, loop: BpmnElement): Finding[] {
  const found: Finding[] = []
  const refuse = (what: string): unknown => found.push(finding(activity, what))
  for (const name of ['loopDataInputRef', 'loopDataOutputRef', 'inputDataItem', 'outputDataItem'])
    if (loop[name] !== undefined)
      refuse(`has a ${name} in its loop, which is not supported: use wf:collection and wf:elementVariable.`)
  return found
}

async function sizeOf(
  run: EngineRun,
  node: FlowNode,
  loop: MultiInstance,
  position: TokenPosition,
): Promise<{ total: number; items?: unknown[] }> {
  const around = position
  if (loop.collection !== undefined) {
    const items = (await evaluate(run, node, loop.collection, 'collection', around)) ?? []
    if (!Array.isArray(items)) throw new StepFailure(node.id, `The collection of ${node.label} is no list.`)
    return { total: checkedTotal(items.length, node), items }
  }
  const cardinality =
    loop.cardinality === undefined
      ? undefined
      : Number(await evaluate(run, node, loop.cardinality, 'loop cardinality', around))
  if (cardinality === undefined || !Number.isInteger(cardinality) || cardinality < 0) {
    throw new StepFailure(node.id, `The loop cardinality of ${node.label} is no whole number.`)
  }
  return { total: checkedTotal(cardinality, node) }
}

function checkedTotal(total: number, node: FlowNode): number {
  if (total <= maxLoopIterations) return total
  throw new StepFailure(node.id, `${node.label} would run ${total} times; at most ${maxLoopIterations} are possible.`)
}

/** Keeps what a pass hands over. */
async function withOutput(run: EngineRun, before: LoopBody, value: string, pass: Token): Promise<LoopBody> {
  const node = nodeAt(run, before.at)
  const output = await evaluate(run, node, value, 'output element', pass, { executionId: pass.id })
  const body: LoopBody = { ...before, outputs: { ...before.outputs, [pass.index ?? 0]: output ?? null } }
  run.tokens.set(body.id, body)
  return body
}

/** Whether the completion condition holds. It sees what the pass sees that has just been completed. */
async function isEnough(run: EngineRun, body: LoopBody, until: string, pass: Token): Promise<boolean> {
  return Boolean(
    await evaluate(run, nodeAt(run, body.at), until, 'completion condition', pass, {
      executionId: body.id,
      variables: { ...countsOf(body), loopCounter: body.done },
    }),
  )
}
