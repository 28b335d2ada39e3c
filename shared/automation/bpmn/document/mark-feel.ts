import { elements } from '../elements/registry.ts'
import { expressionOf, isFeel } from '../expressions/expression.ts'
import type { BpmnElement } from '../shapes/bpmn-element.ts'
import type { Scope } from '../shapes/scopes.ts'
import { isFixedTime } from '../shapes/timing.ts'

/**
 * Writes expressions whose language is FEEL with `=` in front, as all others in FEEL are: those that name it, and those
 * that name no language where the document does (`expressionLanguage`). A `${...}` stays JavaScript.
 */
export function markFeel(scopes: readonly Scope[], { expressionLanguage }: BpmnElement): void {
  for (const { nodes, flows } of scopes) {
    for (const expression of [...flows.map((flow) => flow.conditionExpression), ...nodes.flatMap(expressionsOf)]) {
      if (expression?.body === undefined) continue
      const named = isFeel(expression.language)
      const body = expression.body.trim()
      if (named || (expression.language === undefined && isFeel(expressionLanguage) && !isFixedTime(body))) {
        const isMarked = body.startsWith('=') || (!named && expressionOf(body) !== body)
        if (!isMarked) expression.body = `= ${body}`
        expression.language = undefined
      }
    }
  }
}

const expressionsOf = (node: BpmnElement): (BpmnElement | undefined)[] => {
  const { loopCharacteristics: loop, eventDefinitions = [] } = node
  return [
    ...(elements.nodeOf(node)?.expressions?.(node) ?? []),
    loop?.loopCardinality,
    loop?.loopCondition,
    loop?.completionCondition,
    ...eventDefinitions.flatMap(({ timeDuration, timeDate, timeCycle, condition }) => [
      timeDuration,
      timeDate,
      timeCycle,
      condition as BpmnElement | undefined,
    ]),
  ]
}
