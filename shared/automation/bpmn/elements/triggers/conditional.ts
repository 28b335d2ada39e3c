import { expressionOf } from '../../expressions/expression.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import { bodyOf } from '../../shapes/moddle-elements.ts'
import type { TriggerElement } from '../element.ts'

/** A condition on the record and the variables, which may hold later. */
export const conditional: TriggerElement = {
  type: 'conditionalEventDefinition',
  on: 'conditional',
  line: 'a condition on the record and the variables: when it holds, or begins to hold again',
  positions: ['handler', 'boundary', 'catch'],
  read: ({ condition }) => ({
    on: 'conditional',
    condition: expressionOf(bodyOf(condition as BpmnElement | undefined)),
  }),
  check: (event, { condition }, { report, conditionProblem }) => {
    const fault = conditionProblem(bodyOf(condition as BpmnElement | undefined))
    if (fault !== undefined) report(event, `the condition of ${describe(event)} cannot be evaluated: ${fault}.`)
  },
  await: () => ({ on: 'conditional' }),
}
