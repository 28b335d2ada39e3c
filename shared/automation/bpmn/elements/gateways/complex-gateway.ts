import {
  type EngineRun,
  recordEvent,
  StepFailure,
  type Token,
  type TokenPosition,
} from '../../engine/tokens/engine-run.ts'
import { evaluate } from '../../engine/tokens/evaluate.ts'
import { consumeTokens, tokensAt } from '../../engine/tokens/joins.ts'
import { defaultFlows, endPath } from '../../engine/tokens/leave.ts'
import { expressionOf } from '../../expressions/expression.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { Flow, FlowNode } from '../../shapes/graph.ts'
import { bodyOf } from '../../shapes/moddle-elements.ts'
import type { NodeElement } from '../element.ts'
import { flowsOfReset } from './split-flows.ts'
import { isTokenAhead } from './tokens-ahead.ts'

/**
 * Continues when its condition on the tokens that have come holds, and then waits for the others before it begins again
 * (BPMN 2.0.2, 13.4.5). Without a condition it joins as an inclusive gateway does.
 */
export const complexGateway: NodeElement = {
  kind: 'gateway',
  type: 'complexGateway',
  line: 'continues when its `activationCondition` holds, over `activationCount`, and lets the later tokens end; takes every flow whose condition holds',
  mayChoose: true,
  describe: ({ activationCondition }) => {
    const text = bodyOf(activationCondition as BpmnElement | undefined)
    return text === '' ? {} : { activation: expressionOf(text) }
  },
  expressions: ({ activationCondition }) => [activationCondition as BpmnElement | undefined],
  checkChoice: (gateway, _links, { report, conditionProblem, expressionKind }) => {
    const condition = gateway.activationCondition as BpmnElement | undefined
    const fault = condition === undefined ? undefined : conditionProblem(condition.body)
    if (fault !== undefined)
      report(
        gateway,
        `the activationCondition of ${describe(gateway)} is not ${expressionKind(condition?.body)}: ${fault}.`,
        'invalid_expression',
      )
  },
  arrive: async (run, node, token) => {
    if (node.incoming.length <= 1) return true
    run.suspended.push(token)
    if (!(await isActivated(run, node, token.in))) return false
    await begin(run, node, token.in)
    consumeTokens(run, node, token.in)
    return true
  },
  mayJoin: async (run, node, scope) => {
    if (node.activation === undefined) return !isTokenAhead(run, node, scope)
    if (!(await isActivated(run, node, scope))) return false
    await begin(run, node, scope)
    return true
  },
  enter: async (run, node, position) => {
    recordEvent(run, node.id, position.id, 'completed')
    const taken = await flowsThatHold(
      run,
      node,
      position,
      node.outgoing.filter(({ isDefault }) => !isDefault),
      true,
    )
    const flows = taken.length > 0 ? taken : defaultFlows(node.outgoing)
    if (flows.length === 0 && node.outgoing.length > 0)
      throw new StepFailure(node.id, `No flow out of ${node.label} holds, and it has no default flow.`)
    send(run, position, flows)
  },
  reset: async (run, node, token) => {
    const awaited = node.incoming.filter(({ id }) => token.flows.includes(id))
    if (isTokenAhead(run, node, token.in, awaited)) return false
    run.tokens.delete(token.id)
    const ending = new Set(token.flows)
    // One of each flow; another one is for the next time.
    run.suspended = run.suspended.filter((each) => each.in !== token.in || !ending.delete(each.flow))
    send(run, token, await flowsThatHold(run, node, token, flowsOfReset(node), false), false)
    return true
  },
}

const isResetting = (run: EngineRun, node: FlowNode, scope: string): boolean =>
  run.tokens.values().some((each) => each.is === 'reset' && each.at === node.id && each.in === scope)

/** Whether the tokens that have come are enough. */
async function isActivated(run: EngineRun, node: FlowNode, scope: string): Promise<boolean> {
  if (node.activation === undefined || isResetting(run, node, scope)) return false
  const variables = { activationCount: tokensAt(run, node, scope).length, waitingForStart: true }
  return Boolean(
    await evaluate(run, node, node.activation, 'activation condition', run.tokens.get(scope), { variables }),
  )
}

/** Leaves a token that waits for those that have not come. */
async function begin(run: EngineRun, node: FlowNode, scope: string): Promise<void> {
  const come = new Set(tokensAt(run, node, scope).map(({ flow }) => flow))
  const flows = node.incoming.map(({ id }) => id).filter((id) => !come.has(id))
  if (flows.length === 0) return
  const id = `${node.id}~${scope}`
  run.tokens.set(id, { is: 'reset', id, at: node.id, in: scope, flows } as Token)
}

async function flowsThatHold(
  run: EngineRun,
  node: FlowNode,
  { id: executionId, in: scope, task }: TokenPosition,
  flows: readonly Flow[],
  waitingForStart: boolean,
): Promise<Flow[]> {
  const taken: Flow[] = []
  for (const flow of flows) {
    const holds =
      flow.condition === undefined ||
      Boolean(
        await evaluate(run, node, flow.condition, `condition of the flow '${flow.id}'`, run.tokens.get(scope), {
          executionId,
          variables: { waitingForStart },
          ...(task && { task }),
        }),
      )
    if (holds) taken.push(flow)
  }
  return taken
}

function send(run: EngineRun, { in: scope, task }: TokenPosition, flows: readonly Flow[], isEnd = true): void {
  if (flows.length === 0 && isEnd) endPath(run, scope, task)
  for (const flow of flows) run.moves.push({ do: 'arrive', flow, in: scope, ...(task && { task }) })
}
