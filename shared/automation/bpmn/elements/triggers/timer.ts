import { cronProblem, looksLikeCron } from '../../../../kernel/time/cron.ts'
import { evaluateTimer } from '../../engine/tokens/timers.ts'
import { type BpmnElement, describe, isA } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import type { TimerKind } from '../../shapes/graph.ts'
import { bodyOf, finding } from '../../shapes/moddle-elements.ts'
import { isCycle, isDuration, isMoment } from '../../shapes/time-values.ts'
import { addDuration, isFixedTime, timerNames, timingOf } from '../../shapes/timing.ts'
import type { Check, EventPosition, TriggerElement } from '../element.ts'

const kinds = [
  { property: 'timeDuration', fits: isDuration, example: 'a duration like PT4H' },
  { property: 'timeDate', fits: isMoment, example: 'a moment like 2026-11-20T09:00:00Z' },
  { property: 'timeCycle', fits: isCycle, example: 'a repetition like R3/PT10M or a cron schedule like 0 9 * * 1-5' },
] as const

/** A duration, a date, a repeating interval or a cron schedule. */
export const timer: TriggerElement = {
  type: 'timerEventDefinition',
  on: 'timer',
  line: 'a duration, a date or a repeating interval (ISO 8601), a cron schedule, or an expression for one',
  positions: ['start', 'handler', 'boundary', 'catch'],
  check,
  unsupported: findUnsupported,
  read: (definition) => {
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
  // Before it starts there is no record that an expression could be about.
  const isStart = isA(event, 'StartEvent') && isA(event.$parent, 'Process')
  const instead = isStart ? '' : ', or an expression like ${record.due_at}'
  const expected = `${kind.property} must be ${kind.example} (ISO 8601)${instead}`
  if (text.includes('${') || text.startsWith('=')) {
    const fault = text.startsWith('=') ? conditionProblem(text) : textProblem(text)
    if (fault !== undefined)
      report(event, `the timer of ${describe(event)} holds an expression that is none: ${fault}.`)
  } else if (!kind.fits(text)) {
    const why = kind.property === 'timeCycle' && looksLikeCron(text) ? `: ${cronProblem(text)}` : ''
    report(event, `the timer of ${describe(event)}: ${expected}, not "${text.slice(0, 60)}"${why}.`)
  }
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
  if (name === 'start') return findInStart(event, kind, text)
  // Any other text is an expression, which is evaluated when the timer starts.
  if (!isFixedTime(text) || timingOf(kind, text, 0) !== undefined) return []
  return [finding(event, `has the time '${text}', which is no ISO 8601 ${timerNames[kind]}.`)]
}

/** A start has no instance that an expression could be about, and no more than one in a second. */
function findInStart(event: BpmnElement, kind: TimerKind, text: string): readonly Finding[] {
  if (!isFixedTime(text))
    return [
      finding(
        event,
        'starts the process, so its time cannot be an expression: give it a duration, a date, a repeating interval or a cron schedule.',
      ),
    ]
  const timing = timingOf(kind, text, 0)
  if (timing === undefined) return [finding(event, `has the time '${text}', which is no ISO 8601 ${timerNames[kind]}.`)]
  const isFast = timing.every !== undefined && timing.zone === undefined && (addDuration(0, timing.every) ?? 0) < 1000
  return isFast ? [finding(event, 'starts the process more than once in a second: give it at least PT1S.')] : []
}
