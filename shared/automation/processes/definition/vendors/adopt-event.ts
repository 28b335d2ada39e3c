import { type BpmnElement, isA } from '../read/bpmn-element.ts'
import { isVariable } from '../read/read-work.ts'
import type { VendorHost } from './vendor-words.ts'

/**
 * Reads what an event or a receive task of Flowable waits for in extension elements: an event of its registry is a message,
 * and a change of a variable a condition.
 */
export function adoptEvent(host: VendorHost, definitions: BpmnElement): void {
  const { node, warn } = host
  const isTask = isA(node, 'ReceiveTask')
  if (!isTask && !isA(node, 'CatchEvent')) return
  if (node.messageRef !== undefined || node.eventDefinitions?.length) return
  const make = (type: string, properties: object) => definitions.$model?.create(type, properties)
  const [named] = host.takeElements('uel', 'eventType')
  const name = String(named?.$body ?? '').trim()
  if (named !== undefined && name !== '') {
    const message = make('bpmn:Message', { name })
    if (isTask) node.set?.('messageRef', message)
    else waitFor(node, make('bpmn:MessageEventDefinition', { messageRef: message }))
    warn(`has <${named.$type}> "${name.slice(0, 80)}", which is read as the message of that name`)
    return
  }
  const [listener] = isTask ? [] : host.takeElements('uel', 'variableListenerEventDefinition')
  const variable = String(listener?.variableName ?? '').trim()
  if (listener === undefined || !isVariable(variable)) return
  const condition = make('bpmn:FormalExpression', { body: `\${variables.${variable} != null}` })
  waitFor(node, make('bpmn:ConditionalEventDefinition', { condition }))
  warn(
    `has <${listener.$type}> of "${variable}", which is read as a condition: it occurs when the variable is there, and not again when it changes`,
  )
}

function waitFor(event: BpmnElement, definition: BpmnElement | undefined): void {
  if (definition === undefined) return
  Object.defineProperty(definition, '$parent', { value: event, writable: true })
  event.eventDefinitions = [definition]
}
