import type { Finding } from '../definition/compiled-process.ts'
import { finding, flowsOf, type Definition, type Element, type Scope } from './moddle-elements.ts'
import { looksLikeIso, timingOf } from './timing.ts'

type Place = 'start' | 'handler' | 'boundary' | 'catch' | 'throw' | 'end'

const places: Readonly<Record<string, Place>> = {
  'bpmn:StartEvent': 'start',
  'bpmn:BoundaryEvent': 'boundary',
  'bpmn:IntermediateCatchEvent': 'catch',
  'bpmn:IntermediateThrowEvent': 'throw',
  'bpmn:EndEvent': 'end',
}

/** Which kinds of event run where; '' is an event that catches or throws nothing. */
const supported: Readonly<Record<Place, readonly string[]>> = {
  start: [''],
  handler: ['Timer', 'Error'],
  boundary: ['Timer', 'Error'],
  catch: ['Timer', 'Message', 'Link'],
  throw: ['', 'Link'],
  end: ['', 'Error', 'Terminate'],
}

const instead: Readonly<Record<Place, string>> = {
  start: 'a process starts by its table or by hand: use a start event without a kind',
  handler: 'an event sub-process starts with a timer or an error',
  boundary: 'on the border of an activity there may be a timer or an error',
  catch: 'a catch event waits for a timer or a message, or is the end of a link',
  throw: 'a throw event has no kind, or is the start of a link; use a send task to tell somebody something',
  end: 'an end event has no kind, or is an error or terminate event; use a send task before it to tell somebody something',
}

export function findInEvent(event: Element, scope: Scope): Finding[] {
  const known = places[event.$type]
  if (known === undefined) return []
  const place = known === 'start' && scope.owner.triggeredByEvent === true ? 'handler' : known
  if (event.eventDefinitionRef !== undefined && event.eventDefinitionRef.length > 0) return [finding(event, 'refers to an event defined elsewhere, which is not supported: define it in place.')]
  const definitions = event.eventDefinitions ?? []
  if (definitions.length > 1 || event.parallelMultiple === true) return [finding(event, 'has several triggers, which is not supported: use one event for each.')]
  const [definition] = definitions
  const kind = definition?.$type.replace(/^bpmn:|EventDefinition$/g, '') ?? ''
  if (!supported[place].includes(kind)) return [finding(event, `is ${kind === '' ? 'an event without a kind' : `${kind.startsWith('E') ? 'an' : 'a'} ${kind.toLowerCase()} event`}, which is not supported here: ${instead[place]}.`)]
  if (kind === 'Error' && (event.cancelActivity === false || event.isInterrupting === false)) return [finding(event, 'catches an error, which always interrupts: make it interrupting.')]
  if (kind === 'Timer' && definition !== undefined) return findInTimer(event, definition, place)
  return kind === 'Link' && definition !== undefined ? findInLink(event, definition, scope) : []
}

function findInTimer(event: Element, definition: Definition, place: Place): Finding[] {
  const kinds = (['timeDuration', 'timeDate', 'timeCycle'] as const).filter((kind) => definition[kind] !== undefined)
  const [kind] = kinds
  const text = (kind === undefined ? '' : (definition[kind]?.body ?? '')).trim()
  if (kinds.length !== 1 || kind === undefined || text === '') return [finding(event, 'needs one time: a duration (PT4H), a date (2026-05-01T08:00:00Z) or, on a border, a repeating interval (R3/PT1H).')]
  if (kind === 'timeCycle' && place === 'catch') return [finding(event, 'repeats, which a catch event cannot: use a duration, or a timer on a border that does not interrupt.')]
  if (looksLikeIso(text) && timingOf(kind, text, 0) === undefined) return [finding(event, `has the time '${text}', which is no ISO 8601 ${{ timeDuration: 'duration (PT4H)', timeDate: 'date (2026-05-01T08:00:00Z)', timeCycle: 'repeating interval (R3/PT1H)' }[kind]}.`)]
  return []
}

/** A link leads to exactly one place, in the same process or sub-process. */
function findInLink(event: Element, { name }: Definition, scope: Scope): Finding[] {
  const ends = scope.elements.filter((element) => element.$type === 'bpmn:IntermediateCatchEvent' && isLink(element, name))
  if (event.$type === 'bpmn:IntermediateCatchEvent') {
    const found = ends.length > 1 && ends[0] !== event ? [finding(event, `is the second end of the link '${name}': a link leads to one place.`)] : []
    return flowsOf(scope).some((flow) => flow.targetRef === event) ? [...found, finding(event, 'is the end of a link, so no flow can lead to it.')] : found
  }
  const found = ends.length === 0 ? [finding(event, `links to '${name}', but there is no catch event with a link of this name beside it.`)] : []
  return flowsOf(scope).some((flow) => flow.sourceRef === event) ? [...found, finding(event, 'is the start of a link, so no flow can leave it.')] : found
}

const isLink = ({ eventDefinitions }: Element, name: string | undefined): boolean => eventDefinitions?.[0]?.$type === 'bpmn:LinkEventDefinition' && eventDefinitions[0].name === name

export function findInEventSubProcess(body: Element, scope: Scope): Finding[] {
  const starts = (body.flowElements ?? []).filter((element) => element.$type === 'bpmn:StartEvent')
  return [
    ...(starts.length === 0 ? [finding(body, 'is an event sub-process without a start event, so nothing ever starts it.')] : []),
    ...(flowsOf(scope).some((flow) => flow.sourceRef === body || flow.targetRef === body) ? [finding(body, 'is started by its event, so no flow can lead to it or leave it.')] : []),
    ...scope.elements.filter((element) => element.attachedToRef === body).map((event) => finding(event, 'stands on the border of an event sub-process, which is not supported: put it on the sub-process around it.')),
  ]
}
