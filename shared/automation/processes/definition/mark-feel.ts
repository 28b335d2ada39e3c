import { expressionOf } from './expression.ts'
import type { BpmnElement } from './read/bpmn-element.ts'
import type { Scope } from './scopes.ts'

const isFeel = (language: unknown): boolean =>
  typeof language === 'string' && /(?:^|[/:])(?:s-)?feel\b|\/DMN\/.*FEEL/i.test(language.trim())

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
      if (named || (expression.language === undefined && isFeel(expressionLanguage) && !isTime(body))) {
        const isMarked = body.startsWith('=') || (!named && expressionOf(body) !== body)
        if (!isMarked) expression.body = `= ${body}`
        expression.language = undefined
      }
    }
  }
}

/** A time that is written out is no expression. */
const isTime = (text: string): boolean => /^(?:P[T\d]|R\d*\/|\d{4}-)/.test(text)

const expressionsOf = ({
  loopCharacteristics: loop,
  eventDefinitions = [],
}: BpmnElement): (BpmnElement | undefined)[] => [
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
