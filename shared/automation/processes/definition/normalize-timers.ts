import { textProblem } from './check/expression-problems.ts'
import { parseExpression } from './expression.ts'
import type { Scope } from './scopes.ts'

/**
 * Brings the times of timers into the two forms that the engine reads: trimmed ISO 8601, or one `${...}`, to which a
 * mixed text like `PT${record.hours}H` is converted.
 */
export function normalizeTimers(scopes: readonly Scope[]): void {
  for (const definition of scopes.flatMap(({ nodes }) =>
    nodes.flatMap(({ eventDefinitions = [] }) => eventDefinitions),
  )) {
    for (const time of [definition.timeDuration, definition.timeDate, definition.timeCycle])
      if (time?.body !== undefined) time.body = normalizeTime(time.body.trim())
  }
}

function normalizeTime(text: string): string {
  // `checkEvents` reports broken expressions.
  if (textProblem(text) !== undefined) return text
  const parsed = parseExpression(text)
  return parsed.kind === 'literal' ? text : `\${${parsed.source}}`
}
