import { own } from '../../../../kernel/own-members.ts'
import type { Finding } from '../../definition/compiled-process.ts'
import { finding, flowsOf, type Definition, type Element, type Scope } from '../model/moddle-elements.ts'
import { looksLikeIso, timerNames, timingOf } from '../model/timing.ts'

type EventPosition = 'start' | 'handler' | 'boundary' | 'catch' | 'throw' | 'end'

const eventPositions: Readonly<Record<string, EventPosition>> = {
  'bpmn:StartEvent': 'start',
  'bpmn:BoundaryEvent': 'boundary',
  'bpmn:IntermediateCatchEvent': 'catch',
  'bpmn:IntermediateThrowEvent': 'throw',
  'bpmn:EndEvent': 'end',
}

/** The kinds of event that are supported in each position; '' is an event without a kind. */
const supported: Readonly<Record<EventPosition, readonly string[]>> = {
  start: [''],
  handler: ['Timer', 'Error'],
  boundary: ['Timer', 'Error'],
  catch: ['Timer', 'Message', 'Link'],
  throw: ['', 'Link'],
  end: ['', 'Error', 'Terminate'],
}

const instead: Readonly<Record<EventPosition, string>> = {
  start: 'a process starts by its table or by hand: use a start event without a kind',
  handler: 'an event sub-process starts with a timer or an error',
  boundary: 'on the border of an activity there may be a timer or an error',
  catch: 'a catch event waits for a timer or a message, or is the end of a link',
  throw: 'a throw event has no kind, or is the start of a link; use a send task to send a notification',
  end: 'an end event has no kind, or is an error or terminate event; use a send task before it to send a notification',
}

/** What an event asks for that the engine does not support in its position. */
export function findInEvent(event: Element, scope: Scope): Finding[] {
  const known = own(eventPositions, event.$type)
  if (known === undefined) return [finding(event, 'is an event that is not supported.')]
  const position = known === 'start' && scope.owner.triggeredByEvent === true ? 'handler' : known
  if ((event.eventDefinitionRef ?? []).length > 0)
    return [finding(event, 'refers to an event defined elsewhere, which is not supported: define it inside the event.')]
  const definitions = event.eventDefinitions ?? []
  if (definitions.length > 1 || event.parallelMultiple === true)
    return [finding(event, 'has several triggers, which is not supported: use one event for each.')]
  const [definition] = definitions
  const kind = definition?.$type.replace(/^bpmn:|EventDefinition$/g, '') ?? ''
  if (!supported[position].includes(kind))
    return [finding(event, `is ${nameOf(kind)}, which is not supported here: ${instead[position]}.`)]
  if (definition === undefined) return []
  if (kind === 'Timer') return findInTimer(event, definition, position)
  if (kind === 'Link') return findInLink(event, definition, scope)
  const isAlongside = event.cancelActivity === false || event.isInterrupting === false
  return kind === 'Error' && isAlongside
    ? [finding(event, 'catches an error, which always interrupts: make it interrupting.')]
    : []
}

function nameOf(kind: string): string {
  if (kind === '') return 'an event without a kind'
  return `${kind.startsWith('E') ? 'an' : 'a'} ${kind.toLowerCase()} event`
}

function findInTimer(event: Element, definition: Definition, position: EventPosition): Finding[] {
  const kinds = (['timeDuration', 'timeDate', 'timeCycle'] as const).filter((kind) => definition[kind] !== undefined)
  const [kind] = kinds
  const text = (kind === undefined ? '' : (definition[kind]?.body ?? '')).trim()
  if (kinds.length !== 1 || kind === undefined || text === '') {
    return [
      finding(
        event,
        'needs one time: a duration (PT4H), a date (2026-05-01T08:00:00Z) or, on a border, a repeating interval (R3/PT1H).',
      ),
    ]
  }
  if (kind === 'timeCycle' && position === 'catch')
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

/** A link leads to exactly one catch event, in the same process or sub-process. */
function findInLink(event: Element, { name }: Definition, scope: Scope): Finding[] {
  const ends = scope.elements.filter(
    (element) => element.$type === 'bpmn:IntermediateCatchEvent' && isLink(element, name),
  )
  const found: Finding[] = []
  const refuse = (what: string): unknown => found.push(finding(event, what))
  if (event.$type === 'bpmn:IntermediateCatchEvent') {
    if (ends[0] !== event) refuse(`is the second end of the link '${name}': a link leads to one place.`)
    if (flowsOf(scope).some((flow) => flow.targetRef === event))
      refuse('is the end of a link, so no flow can lead to it.')
  } else {
    if (ends.length === 0)
      refuse(`links to '${name}', but there is no catch event with this link name in the same process or sub-process.`)
    if (flowsOf(scope).some((flow) => flow.sourceRef === event))
      refuse('is the start of a link, so no flow can leave it.')
  }
  return found
}

const isLink = ({ eventDefinitions }: Element, name: string | undefined): boolean =>
  eventDefinitions?.[0]?.$type === 'bpmn:LinkEventDefinition' && eventDefinitions[0].name === name

/** What is wrong with an event sub-process, apart from the kind of its start event. */
export function findInEventSubProcess(body: Element, scope: Scope): Finding[] {
  const found: Finding[] = []
  const starts = (body.flowElements ?? []).filter((element) => element.$type === 'bpmn:StartEvent')
  if (starts.length === 0)
    found.push(finding(body, 'is an event sub-process without a start event, so nothing ever starts it.'))
  const hasFlows = flowsOf(scope).some((flow) => flow.sourceRef === body || flow.targetRef === body)
  if (hasFlows) found.push(finding(body, 'is started by its event, so no flow can lead to it or leave it.'))
  for (const event of scope.elements.filter((element) => element.attachedToRef === body)) {
    found.push(
      finding(
        event,
        'is attached to an event sub-process, which is not supported: attach it to the sub-process around it.',
      ),
    )
  }
  return found
}
