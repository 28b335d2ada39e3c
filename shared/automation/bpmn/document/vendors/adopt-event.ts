import { own } from '../../../../kernel/collections/own-members.ts'
import { constantFeel } from '../../expressions/expression-problems.ts'
import { type BpmnElement, isA, type ModdleContext } from '../../shapes/bpmn-element.ts'
import { isVariable } from '../read/read-work.ts'
import { translateText } from './translate-text.ts'
import { quoted, type VendorHost } from './vendor-words.ts'

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

const expressive = {
  'bpmn:MessageEventDefinition': { word: 'messageExpression', property: 'messageRef', type: 'bpmn:Message' },
  'bpmn:SignalEventDefinition': { word: 'signalExpression', property: 'signalRef', type: 'bpmn:Signal' },
} as const

/** Reads the messages and signals that events of Flowable name by an expression, when it is a text. */
export function adoptNames(host: VendorHost, definitions: BpmnElement): void {
  for (const definition of host.node.eventDefinitions ?? []) {
    const known = own(expressive, definition.$type)
    const word = known && host.take(known.word, definition)
    if (known === undefined || word === undefined || word.text === '') continue
    const name = constantText(word.text)
    if (name === undefined)
      host.warn(`has ${quoted(word)}, which is not evaluated: the name is that of the event instead`)
    else definition.set?.(known.property, definitions.$model?.create(known.type, { name }))
  }
}

const names = {
  'bpmn:Message': 'name',
  'bpmn:Signal': 'name',
  'bpmn:Error': 'errorCode',
  'bpmn:Escalation': 'escalationCode',
} as const

/** Reads the names of messages and signals, and the codes of errors and escalations, that are a text in an expression. */
export function nameThrown({ node, warn }: VendorHost, { references }: ModdleContext): void {
  const property = own(names, node.$type)
  const written = property && node[property]
  if (property === undefined || typeof written !== 'string' || !/^\s*=|[$#]\{/.test(written)) return
  const text = constantText(written.trim())
  if (text !== undefined) node[property] = text
  else if (references.some(({ id }) => id === node.id))
    warn(`has the ${property} "${written.trim().slice(0, 80)}", which is not evaluated: it is that text`)
}

/** Other engines let a repetition end at a moment (`R/PT1H/2030-01-01`). */
export function adoptRepetition({ node, take, warn }: VendorHost): void {
  for (const { timeCycle } of node.eventDefinitions ?? []) {
    if (timeCycle?.body === undefined) continue
    const [, repetition, end] = /^\s*(R\d*\/P[^/]+)\/(.+?)\s*$/.exec(timeCycle.body) ?? []
    if (repetition !== undefined) timeCycle.body = repetition
    const said = take('endDate', timeCycle)?.text ?? end
    if (said !== undefined && said !== '')
      warn(`repeats until "${said.slice(0, 80)}", which is not read: it repeats as often as its timeCycle says`)
  }
}

/** The text that an expression is; undefined: it must be evaluated. */
function constantText(text: string): string | undefined {
  const value = constantFeel(text) ?? translateText(text)
  return typeof value === 'string' && !/^=|[$#]\{/.test(value) ? value : undefined
}
