import { recordEvent } from '../../engine/tokens/engine-run.ts'
import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import { finding } from '../../shapes/moddle-elements.ts'
import type { TriggerElement } from '../element.ts'

/** A BPMN error: of work, of `$api.fail`, or of an end event. */
export const error: TriggerElement = {
  type: 'errorEventDefinition',
  on: 'error',
  line: 'an error of work or of an end event, by its code or any',
  refersTo: 'Error',
  positions: ['handler', 'boundary', 'end'],
  unsupported: (event) =>
    event.cancelActivity === false || event.isInterrupting === false
      ? [finding(event, 'catches an error, which always interrupts: make it interrupting.')]
      : [],
  read: ({ errorRef }) => {
    const root = errorRef as BpmnElement | undefined
    if (!root) return { on: 'error' }
    // An error without a code is thrown by its name, or else its id; what catches it catches every other one as well.
    const code = (root.errorCode || root.name || root.id) as string
    return { on: 'error', code, ...(!root.errorCode && { any: true as const }) }
  },
  end: (run, { id: elementId, triggers }, position) => {
    recordEvent(run, elementId, position.id, 'completed')
    const code = triggers.find((trigger) => trigger.on === 'error')?.code ?? ''
    run.moves.unshift({ do: 'raise', error: { code, message: '', elementId }, in: position.in })
  },
}
