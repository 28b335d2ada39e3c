import { constantTime } from '../../expressions/expression-problems.ts'
import { type BpmnElement, isA, type ModdleContext, typeOf } from '../../shapes/bpmn-element.ts'
import type { StartVariables } from '../../shapes/compiled-process.ts'
import { isFixedTime } from '../../shapes/timing.ts'
import { isVariable } from '../read/read-work.ts'
import { quoted, type VendorHost } from './vendor-words.ts'

/** What a process begins with: the variables of its data, and of who has started it. */
export interface OpenStart extends StartVariables {
  readonly initiators: string[]
  readonly values: Record<string, unknown>
}

/**
 * Reads a start event of the process. One whose time only an instance could evaluate, or that waits for what starts no
 * process here, becomes one without a trigger, unless there is one.
 */
export function adoptStart(
  host: VendorHost,
  {
    moddle,
    nodes,
    start,
  }: { readonly moddle: ModdleContext; readonly nodes: readonly BpmnElement[]; start: OpenStart },
): void {
  const { node, take, warn } = host
  const initiator = take('initiator')
  if (initiator !== undefined && isVariable(initiator.text)) {
    if (!start.initiators.includes(initiator.text)) start.initiators.push(initiator.text)
  } else if (initiator !== undefined && initiator.text !== '')
    warn(`has ${quoted(initiator)}, which is no name for a variable`)
  const { eventDefinitions = [] } = node
  const isOther = (other: BpmnElement): boolean =>
    other !== node && isA(other, 'StartEvent') && !other.eventDefinitions?.length
  if (eventDefinitions.length === 0 || nodes.some(isOther)) return
  const kept = eventDefinitions.filter((definition) => {
    const why = whyNever(definition)
    if (why !== undefined) warn(`${why}: it does not start the process, which starts by hand or by its table instead`)
    return why === undefined
  })
  if (kept.length === eventDefinitions.length) return
  node.eventDefinitions = kept.length === 0 ? undefined : kept
  moddle.references = moddle.references.filter(
    ({ element }) => !eventDefinitions.includes(element) || kept.includes(element),
  )
}

/** Why an event definition cannot start a process here, although it is one of another engine. */
function whyNever(definition: BpmnElement): string | undefined {
  switch (typeOf(definition)) {
    case 'timerEventDefinition': {
      const time = definition.timeDuration ?? definition.timeDate ?? definition.timeCycle
      const text = time?.body?.trim() ?? ''
      const isExpression = /^=|[$#]\{/.test(text) && !isFixedTime(text)
      if (!isExpression || constantTime(text) !== undefined) return undefined
      return `has the time "${text.slice(0, 80)}", which cannot be evaluated before there is an instance`
    }
    case 'conditionalEventDefinition': {
      const text = (definition.condition as BpmnElement | undefined)?.body?.trim() ?? ''
      return `has the condition "${text.slice(0, 80)}", which nobody evaluates before there is an instance (for new records, wf:startCondition is evaluated)`
    }
    case 'errorEventDefinition':
      return 'waits for an error, which nobody throws before there is an instance'
    default:
      return undefined
  }
}

/** Reads the data of a process that have a value in the words of Flowable. */
export function adoptData(host: VendorHost, { references }: ModdleContext, { values }: OpenStart): void {
  const { node, warn } = host
  const [given] = host.takeElements('uel', 'value')
  if (given === undefined) return
  const name = [node.name, node.id].find((one) => one !== undefined && isVariable(one))
  const text = String(given.$body ?? '').trim()
  const type = references.find(({ element, property }) => element === node && property === 'bpmn:itemSubjectRef')?.id
  const value = typed(text, type?.replace(/^.*:/, '') ?? 'string')
  if (name === undefined || value === undefined || /[$#]\{/.test(text))
    warn(`has <${given.$type}> "${text.slice(0, 80)}", which is no value for a variable`)
  else values[name] = value
}

function typed(text: string, type: string): unknown {
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined
  if (!/^(?:int|integer|long|short|double|float|decimal)$/.test(type)) return text
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
}
