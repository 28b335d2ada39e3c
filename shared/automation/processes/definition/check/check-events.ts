import { type BpmnElement, describe, isA } from '../read/bpmn-element.ts'
import type { Scope } from '../scopes.ts'
import { isCycle, isDuration, isMoment } from '../time-values.ts'
import { textProblem } from './expression-problems.ts'
import type { Report } from './findings.ts'

/** Checks that events say what they wait for, and timers when they are due. */
export function checkEvents({ nodes }: Scope, report: Report): void {
  const landings = new Set(nodes.flatMap((node) => (isA(node, 'IntermediateCatchEvent') ? linksOf(node) : [])))
  for (const node of nodes) {
    const lost = isA(node, 'ThrowEvent') ? linksOf(node).find((name) => !landings.has(name)) : undefined
    if (lost !== undefined)
      report(node, `${describe(node)} is a link "${lost}" to no intermediate catch event of that name.`)
    const definitions = node.eventDefinitions ?? []
    if (isA(node, 'IntermediateCatchEvent') && definitions.length === 0)
      report(node, `${describe(node)} needs to say what it waits for.`)
    if (node.eventDefinitionRef?.length)
      report(node, `${describe(node)}: an event definition must be inside the event, not referred to.`)
    for (const definition of definitions) {
      if (isA(definition, 'TimerEventDefinition')) checkTimer(node, definition, report)
    }
  }
}

const linksOf = ({ eventDefinitions = [] }: BpmnElement): readonly string[] =>
  eventDefinitions.filter((definition) => isA(definition, 'LinkEventDefinition')).map(({ name }) => name ?? '')

const kinds = [
  { property: 'timeDuration', fits: isDuration, example: 'a duration like PT4H' },
  { property: 'timeDate', fits: isMoment, example: 'a moment like 2026-11-20T09:00:00Z' },
  { property: 'timeCycle', fits: isCycle, example: 'a repetition like R3/PT10M' },
] as const

function checkTimer(node: BpmnElement, definition: BpmnElement, report: Report): void {
  const given = kinds.filter(({ property }) => definition[property] !== undefined)
  const [kind] = given
  if (given.length !== 1 || kind === undefined)
    return report(node, `the timer of ${describe(node)} needs exactly one of timeDuration, timeDate and timeCycle.`)
  const text = (definition[kind.property]?.body ?? '').trim()
  const expected = `${kind.property} must be ${kind.example} (ISO 8601), or an expression like \${record.due_at}`
  if (text.includes('${')) {
    const fault = textProblem(text)
    if (fault !== undefined) report(node, `the timer of ${describe(node)} holds an expression that is none: ${fault}.`)
  } else if (!kind.fits(text)) report(node, `the timer of ${describe(node)}: ${expected}, not "${text.slice(0, 60)}".`)
}
