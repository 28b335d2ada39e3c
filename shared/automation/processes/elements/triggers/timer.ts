import type { Finding } from '../../definition/compiled-process.ts'
import { type BpmnElement, describe } from '../../definition/read/bpmn-element.ts'
import { isCycle, isDuration, isMoment } from '../../definition/time-values.ts'
import { bodyOf, finding } from '../../engine/model/moddle-elements.ts'
import { looksLikeIso, timerNames, timingOf } from '../../engine/model/timing.ts'
import { evaluateTimer } from '../../engine/tokens/timers.ts'
import type { Check, EventPosition, TriggerElement } from '../element.ts'

const kinds = [
  { property: 'timeDuration', fits: isDuration, example: 'a duration like PT4H' },
  { property: 'timeDate', fits: isMoment, example: 'a moment like 2026-11-20T09:00:00Z' },
  { property: 'timeCycle', fits: isCycle, example: 'a repetition like R3/PT10M' },
] as const

/** A duration, a date or a repeating interval. */
export const timer: TriggerElement = {
  type: 'timerEventDefinition',
  on: 'timer',
  line: 'a duration, a date or a repeating interval (ISO 8601), or an expression for one',
  positions: ['handler', 'boundary', 'catch'],
  read: (behaviour) => {
    const kind = kinds.find(({ property }) => behaviour[property] !== undefined)?.property
    return kind === undefined ? undefined : { on: 'timer', kind, value: String(behaviour[kind]) }
  },
  check,
  unsupported: findUnsupported,
  readElement: (definition) => {
    const kind = kinds.find(({ property }) => definition[property] !== undefined)?.property
    return kind === undefined ? undefined : { on: 'timer', kind, value: bodyOf(definition[kind]) }
  },
  await: evaluateTimer,
}

function check(event: BpmnElement, definition: BpmnElement, { report, conditionProblem, textProblem }: Check): void {
  const given = kinds.filter(({ property }) => definition[property] !== undefined)
  const [kind] = given
  if (given.length !== 1 || kind === undefined)
    return report(event, `the timer of ${describe(event)} needs exactly one of timeDuration, timeDate and timeCycle.`)
  const text = (definition[kind.property]?.body ?? '').trim()
  const expected = `${kind.property} must be ${kind.example} (ISO 8601), or an expression like \${record.due_at}`
  if (text.includes('${') || text.startsWith('=')) {
    const fault = text.startsWith('=') ? conditionProblem(text) : textProblem(text)
    if (fault !== undefined)
      report(event, `the timer of ${describe(event)} holds an expression that is none: ${fault}.`)
  } else if (!kind.fits(text))
    report(event, `the timer of ${describe(event)}: ${expected}, not "${text.slice(0, 60)}".`)
}

function findUnsupported(event: BpmnElement, definition: BpmnElement, { name }: EventPosition): readonly Finding[] {
  const given = kinds.filter(({ property }) => definition[property] !== undefined)
  const kind = given[0]?.property
  const text = (kind === undefined ? '' : (definition[kind]?.body ?? '')).trim()
  if (given.length !== 1 || kind === undefined || text === '') {
    return [
      finding(
        event,
        'needs one time: a duration (PT4H), a date (2026-05-01T08:00:00Z) or, on a border, a repeating interval (R3/PT1H).',
      ),
    ]
  }
  if (kind === 'timeCycle' && name === 'catch')
    return [
      finding(
        event,
        'repeats, which a catch event cannot: use a duration, or a timer on a border that does not interrupt.',
      ),
    ]
  // Any other text is an expression, which is evaluated when the timer starts.
  if (!looksLikeIso(text) || timingOf(kind, text, 0) !== undefined) return []
  return [finding(event, `has the time '${text}', which is no ISO 8601 ${timerNames[kind]}.`)]
}
