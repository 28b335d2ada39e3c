import { looksLikeCron } from '../../../kernel/time/cron.ts'
import { constantTime, textIn, textProblem } from '../expressions/expression-problems.ts'
import { parseExpression } from '../expressions/expression.ts'
import { type BpmnElement, describe, isA, sentence, visibleId } from '../shapes/bpmn-element.ts'
import type { Scope } from '../shapes/scopes.ts'
import { isCycle } from '../shapes/time-values.ts'

/** What to tell about an element. */
interface Told {
  readonly elementId: string | null
  readonly message: string
}

/**
 * Brings the times of timers into the two forms that the engine reads: trimmed ISO 8601 or cron, or one `${...}`, to which
 * a mixed text like `PT${record.hours}H` is converted. Answers what to tell of repetitions that do not repeat.
 */
export function normalizeTimers(scopes: readonly Scope[]): readonly Told[] {
  return scopes
    .flatMap(({ nodes }) => nodes)
    .flatMap((event) =>
      (event.eventDefinitions ?? []).flatMap((definition) => {
        for (const time of [definition.timeDuration, definition.timeDate, definition.timeCycle])
          if (time?.body !== undefined)
            time.body = (isStart(event) ? constantTime(time.body) : undefined) ?? normalizeTime(time.body.trim())
        const { timeCycle } = definition
        return timeCycle?.body === undefined ? [] : firesOnce(event, timeCycle.body)
      }),
    )
}

/** Other engines take a repetition there as well, and continue when it is due for the first time. */
const firesOnce = (event: BpmnElement, cycle: string): Told[] =>
  isA(event, 'IntermediateCatchEvent') && (isCycle(cycle) || cycle.includes('${') || looksLikeCron(cycle))
    ? [
        {
          elementId: visibleId(event),
          message: sentence(
            `${describe(event)} has a timeCycle, but waits once: it continues when "${cycle.slice(0, 60)}" is due for the first time.`,
          ),
        },
      ]
    : []

function normalizeTime(text: string): string {
  // `checkEvents` reports broken expressions.
  if (textProblem(text) !== undefined) return text
  const parsed = parseExpression(text)
  if (parsed.kind === 'literal') return text
  return textIn(parsed.source) ?? `\${${parsed.source}}`
}

const isStart = (event: BpmnElement): boolean => isA(event, 'StartEvent') && isA(event.$parent, 'Process')
