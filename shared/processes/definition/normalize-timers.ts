import { textProblem } from './check/expression-problems.ts'
import { parseExpression } from './expression.ts'
import type { Scope } from './scopes.ts'

/**
 * Brings the times of timers into the two forms that the engine reads: ISO 8601 without blanks around it (documents are
 * indented), or one `${...}`, which a mixed text like `PT${record.hours}H` becomes.
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
  // What is broken is told where events are checked.
  if (textProblem(text) !== undefined) return text
  const parsed = parseExpression(text)
  return parsed.kind === 'literal' ? text : `\${${parsed.source}}`
}
