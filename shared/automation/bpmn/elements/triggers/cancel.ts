import { cancelTransaction } from '../../engine/events/compensate.ts'
import { type EngineRun, StepFailure } from '../../engine/tokens/engine-run.ts'
import { type BpmnElement, isA } from '../../shapes/bpmn-element.ts'
import { finding, labelOf } from '../../shapes/moddle-elements.ts'
import type { TriggerElement } from '../element.ts'

/** Cancels a transaction: what was completed in it is compensated, and it is left by its cancel boundary event. */
export const cancelTrigger: TriggerElement = {
  type: 'cancelEventDefinition',
  on: 'cancel',
  line: 'cancels a transaction: undoes what was completed in it, and leaves it by the cancel event on its border',
  positions: ['boundary', 'end'],
  read: () => ({ on: 'cancel' }),
  unsupported: (event, _definition, { name }, { owner }) => {
    if (name === 'boundary')
      return isA(event.attachedToRef, 'Transaction')
        ? []
        : [finding(event, 'is a cancel event, which only the border of a transaction has.')]
    const transaction = transactionAround(owner)
    if (transaction === undefined)
      return [finding(event, 'is a cancel event, which ends a transaction only: use a terminate or an error event.')]
    return (transaction.$parent?.flowElements ?? []).some((one) => one.attachedToRef === transaction && hasCancel(one))
      ? []
      : [finding(event, `cancels ${labelOf(transaction)}, which needs a cancel event on its border to be left by.`)]
  },
  throw: async (run, node, _trigger, position) => {
    const transaction = transactionOf(run, position.in)
    if (transaction === undefined) throw new StepFailure(node.id, `${node.label} is in no transaction.`)
    cancelTransaction(run, position, transaction)
    return 'gone'
  },
}

const hasCancel = ({ eventDefinitions = [] }: BpmnElement): boolean =>
  eventDefinitions.some((one) => isA(one, 'CancelEventDefinition'))

function transactionAround(owner: BpmnElement): BpmnElement | undefined {
  for (let at: BpmnElement | undefined = owner; at !== undefined; at = at.$parent) if (isA(at, 'Transaction')) return at
  return undefined
}

function transactionOf(run: EngineRun, scope: string): string | undefined {
  for (let at = run.tokens.get(scope); at !== undefined; at = run.tokens.get(at.in))
    if (run.graph.nodes.get(at.at)?.type === 'transaction') return at.id
  return undefined
}
