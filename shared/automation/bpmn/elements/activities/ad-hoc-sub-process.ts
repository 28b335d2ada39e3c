import { didYouMean, shown } from '../../../../kernel/text/did-you-mean.ts'
import { startBoundaryEvents } from '../../engine/tokens/boundary-events.ts'
import { armEventSubProcesses, startsOf } from '../../engine/tokens/open-scope.ts'
import { expressionOf } from '../../expressions/expression.ts'
import { describe } from '../../shapes/bpmn-element.ts'
import { bodyOf, finding } from '../../shapes/moddle-elements.ts'
import type { NodeElement } from '../element.ts'

const onRequest = 'onRequest'

/**
 * A sub-process whose activities need no flows: what no flow leads to begins with it, all at once, or one after another
 * as they are drawn (BPMN 2.0.2, 13.3.5).
 */
export const adHocSubProcess: NodeElement = {
  kind: 'activity',
  type: 'adHocSubProcess',
  line: 'begins everything in it that no flow leads to, at once or (`ordering="Sequential"`) one after another, until its `completionCondition` holds, which ends what still runs, or lets it end (`cancelRemainingInstances="false"`); more of them begin by `POST /api/sys/process-instances/{id}/activities`, with `wf:begin="onRequest"` only so',
  attributes: { name: 'AdHocProps', names: ['begin'] },
  holds: ['In', 'Out'],
  mayChoose: true,
  describe: ({ ordering, completionCondition, cancelRemainingInstances, begin }) => {
    const text = bodyOf(completionCondition)
    return {
      adHoc: {
        isSequential: ordering === 'Sequential',
        isOnRequest: begin === onRequest,
        lastsUntilEnd: cancelRemainingInstances === false,
        ...(text !== '' && { until: expressionOf(text) }),
      },
    }
  },
  expressions: ({ completionCondition }) => [completionCondition],
  checkFlows: (node, _links, { report, conditionProblem, expressionKind }) => {
    const { completionCondition: condition } = node
    const fault = condition === undefined ? undefined : conditionProblem(condition.body)
    if (fault !== undefined)
      report(
        node,
        `the completionCondition of ${describe(node)} is not ${expressionKind(condition?.body)}: ${fault}.`,
        'invalid_expression',
      )
    const { begin } = node
    if (begin !== undefined && begin !== onRequest)
      report(
        node,
        `${describe(node)}: wf:begin must be ${onRequest}, or be left out, not ${shown(String(begin))}.${didYouMean(String(begin), [onRequest])}`,
      )
    if (begin === onRequest && bodyOf(condition) === '')
      report(
        node,
        `${describe(node)} begins nothing by itself (wf:begin="${onRequest}"), so it needs a completionCondition that ends it.`,
        'incomplete',
      )
  },
  unsupported: (node) =>
    node.triggeredByEvent === true ? [finding(node, 'is ad-hoc, so no event can trigger it: use a sub-process.')] : [],
  enter: async (run, node, position) => {
    const [first, ...later] = startsOf(run, node.id)
    const { isSequential = false, isOnRequest = false } = node.adHoc ?? {}
    run.tokens.set(position.id, {
      is: 'scope',
      ...position,
      ...(isSequential && later.length > 0 && !isOnRequest && { queue: later.map(({ id }) => id) }),
    })
    await startBoundaryEvents(run, position.id)
    await armEventSubProcesses(run, node.id, position.id)
    const begun = isSequential ? [] : later
    for (const start of first === undefined || isOnRequest ? [] : [first, ...begun])
      run.moves.push({ do: 'enter', node: start, in: position.id })
  },
}
