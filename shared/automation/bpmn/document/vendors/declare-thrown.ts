import { own } from '../../../../kernel/collections/own-members.ts'
import type { BpmnElement, ModdleContext } from '../../shapes/bpmn-element.ts'
import { vendorsOf } from './vendor-words.ts'

const kinds = {
  'bpmn:errorRef': { type: 'bpmn:Error', code: 'errorCode' },
  'bpmn:escalationRef': { type: 'bpmn:Escalation', code: 'escalationCode' },
} as const

/**
 * Finds, or declares, the errors and escalations that events of other engines name by their codes: there, an `errorRef`
 * may be the code of an error that the document does not hold.
 */
export function declareThrown(moddle: ModdleContext): void {
  const { rootElement, elementsById } = moddle
  if (vendorsOf(rootElement).size === 0) return
  moddle.references = moddle.references.map((reference) => {
    const { element, property, id } = reference
    const kind = own(kinds, property)
    if (kind === undefined || id === '' || own(elementsById, id) !== undefined) return reference
    const found =
      rootElement.rootElements?.find((root) => root.$type === kind.type && root[kind.code] === id) ??
      declare(moddle, kind, id)
    if (found?.id === undefined) return reference
    element.set?.(property.slice('bpmn:'.length), found)
    return { ...reference, id: found.id }
  })
}

function declare(
  { rootElement, elementsById }: ModdleContext,
  { type, code }: (typeof kinds)[keyof typeof kinds],
  id: string,
): BpmnElement | undefined {
  const made = rootElement.$model?.create(type, { id, [code]: id })
  if (made === undefined) return undefined
  Object.defineProperty(made, '$parent', { value: rootElement, writable: true })
  rootElement.rootElements = [...(rootElement.rootElements ?? []), made]
  const known = elementsById as Record<string, BpmnElement>
  known[id] = made
  return made
}
