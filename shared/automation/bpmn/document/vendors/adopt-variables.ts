import { conditionProblem } from '../../expressions/expression-problems.ts'
import { isJavaScript, parseExpression } from '../../expressions/expression.ts'
import type { BpmnElement, ModdleContext } from '../../shapes/bpmn-element.ts'
import { isVariable } from '../read/read-work.ts'
import { literalOf, stopping, translateText } from './translate-text.ts'
import { childrenOf, localName, quoted, type VendorElement, type VendorHost, wordOf } from './vendor-words.ts'

/** Reads `camunda:inputOutput` and `zeebe:ioMapping` as `wf:in` and `wf:out`. `holds`: which of them its element may have. */
export function adoptMapping(host: VendorHost, holds: readonly string[]): void {
  const written = host.takeElements('uel', 'inputOutput')
  const mapped = host.takeElements('zeebe', 'ioMapping')
  const made = [
    ...written.flatMap((one) => childrenOf(one, 'inputParameter').map((each) => parameter(host, each, 'wf:In'))),
    ...written.flatMap((one) => childrenOf(one, 'outputParameter').map((each) => parameter(host, each, 'wf:Out'))),
    ...mapped.flatMap((one) => childrenOf(one, 'input').map((each) => mapping(host, each, 'wf:In'))),
    ...mapped.flatMap((one) => childrenOf(one, 'output').map((each) => mapping(host, each, 'wf:Out'))),
  ]
    .filter((one) => one !== undefined)
    .filter((one) => isHeld(host, one, holds))
  const extensions = host.node.extensionElements
  if (made.length > 0 && extensions !== undefined) extensions.values = [...(extensions.values ?? []), ...made]
}

function isHeld(host: VendorHost, { $type, target }: BpmnElement, holds: readonly string[]): boolean {
  const isIn = $type === 'wf:In'
  if (holds.includes(isIn ? 'In' : 'Out')) return true
  host.warn(`has an ${isIn ? 'input' : 'output'} "${String(target)}", which such an event cannot have here`)
  return false
}

type Mapped = 'wf:In' | 'wf:Out'

function parameter(host: VendorHost, element: VendorElement, $type: Mapped): BpmnElement | undefined {
  const target = String(element.name ?? '')
  const [inside] = element.$children ?? []
  if (isVariable(target)) {
    const value = inside === undefined ? translateText(String(element.$body ?? '').trim()) : undefined
    if (value !== undefined) return { $type, $attrs: {}, target, value }
    const source = inside && sourceOf(inside)
    if (source !== undefined && conditionProblem(source) === undefined) return { $type, $attrs: {}, target, source }
  }
  host.warn(`has <${element.$type}> of "${target}", which the service cannot evaluate; use ${tagOf($type)}`)
  return undefined
}

/** The JavaScript of a `camunda:list`, `camunda:map`, `camunda:script` or `camunda:value`; undefined: there is none. */
function sourceOf(element: VendorElement): string | undefined {
  const text = String(element.$body ?? '').trim()
  const [inside] = element.$children ?? []
  switch (localName(element)) {
    case 'list': {
      const items = (element.$children ?? []).map(sourceOf)
      return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
    }
    case 'map': {
      const members = (element.$children ?? []).map((entry) => {
        const value = sourceOf(entry)
        return value === undefined || String(entry.key ?? '').includes('{')
          ? undefined
          : `${JSON.stringify(String(entry.key ?? ''))}: ${value}`
      })
      return members.includes(undefined) ? undefined : `({ ${members.join(', ')} })`
    }
    case 'script':
      return isJavaScript(String(element.scriptFormat ?? '')) && text !== '' ? text.replace(/;\s*$/, '') : undefined
    case 'value':
    case 'entry': {
      if (inside !== undefined) return sourceOf(inside)
      const parsed = parsedText(translateText(text))
      return parsed?.kind === 'literal' ? JSON.stringify(parsed.text) : parsed && `(${parsed.source})`
    }
    default:
      return undefined
  }
}

const parsedText = (text: string | undefined) => (text === undefined ? undefined : parseExpression(text))

function mapping(host: VendorHost, element: VendorElement, $type: Mapped): BpmnElement | undefined {
  const [target = '', source = ''] = [element.target, element.source].map((one) => String(one ?? '').trim())
  if (isVariable(target)) {
    if (!source.startsWith('=')) return { $type, $attrs: {}, target, value: source }
    const literal = literalOf(source.slice(1))
    if (literal !== undefined) return { $type, $attrs: {}, target, source: literal }
    if (conditionProblem(source) === undefined) return { $type, $attrs: {}, target, source }
  }
  host.warn(`has <${element.$type}> of "${target}", which the service cannot evaluate; use ${tagOf($type)}`)
  return undefined
}

const tagOf = (type: Mapped): string => (type === 'wf:In' ? 'wf:in' : 'wf:out')

/** What `flowable:collection` says with an expression inside; one with a text only Java can read. */
const collectionIn = (element: VendorElement) => ({
  word: `<${element.$type}>`,
  text: String([...childrenOf(element, 'expression'), ...childrenOf(element, 'string')][0]?.$body ?? '').trim(),
})

/** Reads what a multi-instance activity runs for, in the words of other engines. */
export function adoptLoop(host: VendorHost, loop: BpmnElement): void {
  const [zeebe] = host.takeElements('zeebe', 'loopCharacteristics', loop)
  const [element] = host.takeElements('uel', 'collection', loop)
  const collection =
    host.take('collection', loop) ?? (element && collectionIn(element)) ?? (zeebe && wordOf(zeebe, 'inputCollection'))
  const item = host.take('elementVariable', loop) ?? (zeebe && wordOf(zeebe, 'inputElement'))
  if (collection !== undefined && loop.collection === undefined) {
    const literal = literalOf(collection.text)
    const text = isVariable(collection.text)
      ? `\${variables.${collection.text}}`
      : literal === undefined
        ? translateText(collection.text)
        : `\${${literal}}`
    if (text?.includes('${') === true) loop.collection = text
    // What calls Java stops there: without a collection, nobody could say how often it runs.
    else if (/^[$#]\{[^{}]*\}$/.test(collection.text) && conditionProblem(collection.text) === undefined) {
      loop.collection = collection.text
      host.warn(`has ${quoted(collection)}, which calls what there is not: it stops there; use wf:collection`)
    } else {
      loop.collection = stopping(`The collection ${collection.text.slice(0, 80)} cannot be evaluated.`)
      host.warn(`has ${quoted(collection)}, which the service cannot evaluate: it stops there; use wf:collection`)
    }
  }
  if (item !== undefined && isVariable(item.text)) loop.elementVariable ??= item.text
  const output = zeebe && wordOf(zeebe, 'outputCollection')
  const outputElement = zeebe && wordOf(zeebe, 'outputElement')
  if (output === undefined || outputElement === undefined || loop.outputCollection !== undefined) return
  if (isVariable(output.text) && conditionProblem(outputElement.text) === undefined) {
    loop.outputCollection = output.text
    loop.outputElement = outputElement.text
  } else host.warn(`has ${quoted(outputElement)}, which the service cannot evaluate; use wf:outputElement`)
}

/**
 * Reads the data of a multi-instance activity in BPMN: `loopDataInputRef` names the collection, `inputDataItem` its
 * element. Data of a process are variables here, by their names.
 */
export function adoptLoopData({ references }: ModdleContext, loop: BpmnElement): void {
  const nameOf = (property: 'loopDataInputRef' | 'loopDataOutputRef'): string | undefined => {
    const target = loop[property] as BpmnElement | undefined
    const written = references.find(
      ({ element, property: named }) => element === loop && named === `bpmn:${property}`,
    )?.id
    return [target?.name, written].find((one) => one !== undefined && isVariable(one))
  }
  const itemOf = (property: 'inputDataItem' | 'outputDataItem'): string | undefined => {
    const item = loop[property] as BpmnElement | undefined
    return [item?.name, item?.id].find((one) => one !== undefined && isVariable(one))
  }
  const [input, output, item, result] = [
    nameOf('loopDataInputRef'),
    nameOf('loopDataOutputRef'),
    itemOf('inputDataItem'),
    itemOf('outputDataItem'),
  ]
  if (input !== undefined) loop.collection ??= `\${variables.${input}}`
  if (item !== undefined) loop.elementVariable ??= item
  if (output !== undefined && result !== undefined && loop.outputCollection === undefined) {
    loop.outputCollection = output
    loop.outputElement = `variables.${result}`
  }
  const read = { loopDataInputRef: input, inputDataItem: item, loopDataOutputRef: output, outputDataItem: result }
  for (const [property, name] of Object.entries(read)) if (name !== undefined) loop.set?.(property, undefined)
}
