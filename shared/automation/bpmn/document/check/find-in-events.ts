import type { EventPosition } from '../../elements/element.ts'
import { elements } from '../../elements/registry.ts'
import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import { finding, type Surroundings } from '../../shapes/moddle-elements.ts'

/** What occurs only while it is thrown. */
const unawaited: ReadonlySet<string> = new Set(['error', 'escalation', 'compensation', 'cancel'])

/** What an event asks for that the engine does not support in its position. */
export function findInEvent(
  event: BpmnElement,
  position: EventPosition,
  surroundings: Surroundings,
): readonly Finding[] {
  if ((event.eventDefinitionRef ?? []).length > 0)
    return [finding(event, 'refers to an event defined elsewhere, which is not supported: define it inside the event.')]
  const definitions = event.eventDefinitions ?? []
  const known = definitions.map((definition) => elements.triggerOf(definition)?.on)
  const isAwaited = known.every((on) => on === undefined || !unawaited.has(on))
  if (definitions.length > 1 && known.includes('link'))
    return [finding(event, 'has several triggers, of which none can be a link: use one event for each.')]
  if (position.name === 'start' && event.parallelMultiple === true && definitions.length > 1)
    return [
      finding(
        event,
        'starts the process when all of its triggers have occurred, which is not supported, because before an instance exists it is not known which of them belong together: start it with one of them, and let a catch event wait for the others.',
      ),
    ]
  if (event.parallelMultiple === true && definitions.length > 1 && !isAwaited)
    return [
      finding(
        event,
        'waits for all of its triggers, of which none can be an error, an escalation, a compensation or a cancel.',
      ),
    ]
  return (definitions.length === 0 ? [undefined] : definitions).flatMap((definition) =>
    findInTrigger(event, definition, position, surroundings),
  )
}

function findInTrigger(
  event: BpmnElement,
  definition: BpmnElement | undefined,
  position: EventPosition,
  surroundings: Surroundings,
): readonly Finding[] {
  const trigger = elements.triggerOf(definition)
  const isSupported =
    definition === undefined ? !position.needsTrigger : trigger?.positions.includes(position.name) === true
  if (!isSupported)
    return [finding(event, `is ${nameOf(definition)}, which is not supported here: ${position.instead}.`)]
  return (definition && trigger?.unsupported?.(event, definition, position, surroundings)) ?? []
}

function nameOf(definition: BpmnElement | undefined): string {
  const kind = definition?.$type.replace(/^bpmn:|EventDefinition$/g, '') ?? ''
  if (kind === '') return 'an event without a kind'
  return `${kind.startsWith('E') ? 'an' : 'a'} ${kind.toLowerCase()} event`
}
