import { beginCompensation, compensableFor } from '../../engine/events/compensate.ts'
import { nextId } from '../../engine/tokens/engine-run.ts'
import { type BpmnElement, describe, isA } from '../../shapes/bpmn-element.ts'
import { finding, flowsOf } from '../../shapes/moddle-elements.ts'
import { associatedActivity } from '../../shapes/scopes.ts'
import type { TriggerElement } from '../element.ts'

/** Undoes what was completed: on the border of an activity it names what does it, thrown it has it done. */
export const compensation: TriggerElement = {
  type: 'compensateEventDefinition',
  on: 'compensation',
  line: 'undoes completed activities, in reverse order: by the activity that is associated with the event on their border, or by an event sub-process',
  positions: ['handler', 'boundary', 'throw', 'end'],
  read: ({ activityRef, waitForCompletion }, event) => {
    const handler = isA(event, 'BoundaryEvent') ? associatedActivity(event)?.id : undefined
    const activity = (activityRef as BpmnElement | undefined)?.id
    return {
      on: 'compensation',
      ...(handler !== undefined && { handler }),
      ...(activity !== undefined && { activity }),
      ...(waitForCompletion === false && { isDetached: true }),
    }
  },
  check: (event, _definition, { report }) => {
    if (!isA(event, 'BoundaryEvent')) return
    const handler = associatedActivity(event)
    if (handler === undefined)
      report(
        event,
        `${describe(event)} needs an association to the activity that undoes ${describe(event.attachedToRef ?? event)}.`,
        'incomplete',
      )
    else if (handler.isForCompensation !== true)
      report(event, `${describe(event)} is associated with ${describe(handler)}, which needs isForCompensation="true".`)
  },
  unsupported: (event, _definition, { name }, surroundings) => {
    if (name === 'boundary' && flowsOf(surroundings).some((flow) => flow.sourceRef === event))
      return [finding(event, 'is left by no flow: what it is associated with undoes its activity.')]
    const { owner } = surroundings
    return name === 'handler' && isA(owner.$parent, 'Process')
      ? [
          finding(
            event,
            'would undo the whole process, which nothing asks for: put its event sub-process into a sub-process.',
          ),
        ]
      : []
  },
  throw: async (run, node, trigger, position) => {
    if (trigger.on !== 'compensation') return undefined
    const left = compensableFor(run, position.in, trigger.activity)
    if (left.length === 0) return undefined
    if (trigger.isDetached) {
      beginCompensation(run, { ...position, id: nextId(run, node) }, left, 'end')
      return undefined
    }
    beginCompensation(run, position, left, 'leave')
    return 'gone'
  },
}
