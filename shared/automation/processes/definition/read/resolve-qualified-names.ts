import { own } from '../../../../kernel/collections/own-members.ts'
import type { BpmnElement, ModdleContext } from './bpmn-element.ts'

/**
 * Resolves references by qualified names, which the reader of XML takes for ids: `tns:er` names the element `er` of this
 * document, whatever the prefix is called.
 */
export function resolveQualifiedNames(moddle: ModdleContext): void {
  moddle.references = moddle.references.map((reference) => {
    const { element, property, id = '' } = reference
    const local = id.trim().replace(/^.*[:}]/, '')
    if (local === id || own(moddle.elementsById, id) !== undefined) return reference
    const target: BpmnElement | undefined = own(moddle.elementsById, local)
    if (target === undefined) return reference
    const name = property.slice(property.indexOf(':') + 1)
    const isMany = element.$descriptor?.properties?.some((one) => one.name === name && one.isMany) === true
    element.set?.(name, isMany ? [...((element[name] as BpmnElement[] | undefined) ?? []), target] : target)
    return { ...reference, id: local }
  })
}
